"""One verdict for a case and a method, from what was measured."""

import math

VERDICTS = ("right", "stated", "refused", "wrong")


class Pair:
    """A case by a method: its verdict, why, and the values."""

    def __init__(self, case, method, answer):
        self.case, self.method, self.answer = case, method, answer
        self.values = answer.get("values", {})
        self.verdict, self.outside, self.reason = judge(case, method, answer)

    @property
    def why(self):
        return "; ".join(text for text in (self.outside, self.reason) if text)

    @property
    def name(self):
        return f"{self.case.name}/{self.method}"

    def as_json(self):
        return {"case": self.case.name, "method": self.method, "verdict": self.verdict, "why": self.why,
                "measures": [{"name": m.name, "unit": m.unit, "value": self.values.get(m.name), "right": m.right,
                              "allowed": m.allowed(self.method) if m.right is not None else None} for m in self.case.measures],
                "outcomes": self.answer.get("outcomes"), "error_estimate": self.answer.get("error_estimate"),
                "relative_estimate": self.answer.get("relative_estimate"), "iterations": self.answer.get("iterations"),
                "cpu_seconds": self.answer.get("cpu")}


def number(value, digits=4):
    if value is None or not math.isfinite(value):
        return "none"
    return f"{value:.{digits}g}"


def judge(case, method, answer):
    """The verdict, the numbers outside their tolerances, and the reason."""
    if "fault" in answer:
        return "wrong", "", answer["fault"]
    if answer.get("timeout"):
        return "wrong", "", f"no end within {answer['timeout']}"
    if answer.get("crash"):
        return "wrong", "", answer["crash"]
    if "refused" in answer:
        return "refused", "", answer["refused"]
    outside = []
    for m in case.measures:
        value = answer["values"].get(m.name)
        if m.right is None:
            return "wrong", "", f"{m.name}: no right value yet: run scripts/validate --reference {case.name}"
        if not m.within(value, method) and not answer["spoken"].get(m.name):
            outside.append((m, value))
    if not outside:
        return "right", "", ""
    text = "; ".join(f"{m.name}: {number(value)} {m.unit} instead of {number(m.right)}" for m, value in outside)
    if "ended" in answer:
        return "stated", text, f"ended: {answer['ended']}"
    outcomes = answer.get("outcomes", {})
    bad = {key: outcomes[key] for key in ("failed", "budget") if outcomes.get(key)}
    if bad:
        said = ", ".join(f"{count} of {answer['steps']} steps {key}" for key, count in bad.items())
        reason = answer.get("first_reason")
        return "stated", text, said + (f": {reason}" if reason else "")
    if all(told(m, value, answer) for m, value in outside):
        return "stated", text, f"error estimate {number(answer['error_estimate'], 3)} m"
    return "wrong", text, ""


def told(measure, value, answer):
    """Whether the rows' error estimates are at least half the error."""
    error, share = answer.get("error_estimate"), answer.get("relative_estimate")
    share = answer.get("told", {}).get(measure.name, share)
    if error is None or not math.isfinite(measure.error(value)):
        return False
    if measure.data.get("relative_error"):
        return share is not None and share >= value / 2
    if measure.unit == "m" and error >= measure.error(value) / 2:
        return True
    return bool(measure.right) and share is not None and share >= measure.error(value) / abs(measure.right) / 2
