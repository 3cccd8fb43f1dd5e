"""Newton's method in the reduced coordinates with modal cubature, over 60 steps of the octobot's swing. With
`jacobian: "free"`, a Krylov method takes differences of forces instead of a matrix, preconditioned by the matrix of
`symmetric`: conjugate gradients (`krylov: "cg"`) as in the paper, or GMRES. `exact` and `symmetric` factor a matrix. If
conjugate gradients do not converge, the direction is that of `symmetric`."""

from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict

from .keys import held, written

STEPS = 60
KINDS = (("free", "cg"), ("free", "gmres"), ("exact", "gmres"), ("symmetric", "gmres"))


def measure(engine):
    rows = []
    for kind, krylov in KINDS:
        scene = held(engine, "octobot", cubature={"rule": "modal_forces", "jacobian": kind, "krylov": krylov})
        name = f"{kind}, {krylov}" if kind == "free" else kind
        found, summary = engine.run(written(engine, scene, f"{kind}_{krylov}"), "reduced", ["solver.error_every=0"], STEPS)
        rows.append({"jacobian": name, "newton": sum(row["newton_iterations"] for row in found),
                     "linear": sum(row["linear_iterations"] for row in found), "failed": summary["steps_failed"],
                     "ms": 1000 * (summary["seconds"]["steps"] - summary["seconds"]["output"]) / STEPS})
    return rows


def tables(numbers):
    return [Table("Iterations and time of a step", ["`cubature.jacobian`", "Newton iterations", "inner iterations of each", "ms",
                                                    "failed steps"],
                  [[row["jacobian"], short(row["newton"] / STEPS), short(row["linear"] / row["newton"]) if row["linear"] else "-",
                    short(row["ms"]), row["failed"]] for row in numbers])]


def verdict(numbers):
    free, gmres, *_ = numbers
    inner, others = (row["linear"] / row["newton"] for row in (free, gmres))
    ours = (f"{inner:.2g} inner iterations of conjugate gradients ({others:.2g} of GMRES), {free['newton'] / STEPS:.2g} Newton "
            f"iterations per step, {free['failed']} steps fail")
    if free["failed"] == 0 and inner <= 6:
        return Verdict("same", ours)
    return Verdict("differs", ours, "steps fail" if free["failed"] else "more inner iterations are needed")
