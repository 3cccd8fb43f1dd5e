"""A soft ball on a spike, three steps from the hardest contact, each method on its own path. "Modes alone" have all
modes active from the start and never enrich a vertex. An eigenmode is a handle of 12 dimensions."""

from studies.frame.engine import temporary_folder, variant
from studies.frame.numbers import error, percent
from studies.frame.paper import Table, Verdict

from .keys import printed_variant, share

SCENE, STEPS, COUNT = "sphere_on_spike", 3, 10
NEVER = 1e12
ALONE = {"acceptance": "oracle", "vertex_error": NEVER, "mode_error": NEVER, "initial": 1000}


def alone(library):
    return {f"adaptive__{key}": value for key, value in {**ALONE,
                                                         "library": f'["{library}"]'}.items()} | {"handles": COUNT}


METHODS = {
    "quadratic modes alone": variant("adaptive", **alone("quadratic")),
    "eigenmodes alone": variant("adaptive", **alone("eigenmodes")),
    "eigenmodes and vertices, as printed": printed_variant(SCENE, handles=COUNT),
    "eigenmodes and vertices, default": variant("adaptive", handles=COUNT),
}


def as_settings(method):
    """METHOD:KEY=VALUE as words of --set."""
    return [f"solver.{setting}" for setting in method.split(":")[1:]]


def measure(engine):
    first = engine.check(SCENE)[1]["compare"]["from"]
    results = engine.compare(SCENE, ["newton", *METHODS.values()], steps=STEPS, free=True,
                             reach="newton")["methods"][1:]
    numbers = []
    for (name, method), result in zip(METHODS.items(), results):
        rows, _ = engine.run(SCENE, "adaptive", as_settings(method), steps=first + STEPS)
        last = result["each_step"][-1]
        numbers.append({"method": name, "error": last["max_error"], "rms": last["rms_error"],
                        "share": max(share(row) for row in rows),
                        "modes": max(row["adaptive"]["handles"] for row in rows)})
    pictures = {"newton": ("newton", []), "eigenmodes_alone": ("adaptive", as_settings(METHODS["eigenmodes alone"])),
                "default": ("adaptive", as_settings(METHODS["eigenmodes and vertices, default"])),
                "enriched": ("adaptive", as_settings(METHODS["eigenmodes and vertices, default"]))}
    for name, (method, settings) in pictures.items():
        with temporary_folder() as folder:
            engine.keep_run(SCENE, method, f"{folder}/run", settings, steps=first + STEPS, formats=["html"])
            view = (["--color", "enriched", "--no-legend", "--view", "20:-35:1.4", "--hide", "spike", "--edges", "over"]
                    if name == "enriched" else
                    ["--clip", "z:0.5", "--view", "0:3:1.3", "--edges", "over"])
            engine.picture(f"{folder}/run", name, "--step", "last", "--fit", "frame", *view, size="280x230")
    return numbers


def tables(numbers):
    return [Table(f"{STEPS} steps", ["displacements", "largest error", "rms error", "enriched", "active modes"],
                  [[row["method"], error(row["error"]), error(row["rms"]), percent(row["share"]), row["modes"]]
                   for row in numbers],
                  "Pictures: `newton`, eigenmodes alone, and the default, all cut open; the default from below, "
                  "enriched vertices yellow.")]


def verdict(numbers):
    quadratic, modes, printed, default = numbers
    ours = (f"largest error {error(quadratic['error'])} (quadratic modes), {error(modes['error'])} (eigenmodes), "
            f"{error(printed['error'])} with {percent(printed['share'])} enriched as printed, "
            f"{error(default['error'])} with {percent(default['share'])} by default")
    best = min((printed, default), key=lambda row: row["error"])
    if best["error"] < 0.5 * min(quadratic["error"], modes["error"]) and best["share"] < 0.4:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the enriched vertices hardly lower the error")
