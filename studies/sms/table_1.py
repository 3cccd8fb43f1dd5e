"""The paper's seven scenes in the gallery, with meshes of size large beside those of the paper ("theirs"). Points and
unknowns come from smaller meshes, whose size the next line names. These have as many vertices per handle as in the
paper, and the rule `modal`."""

import json
import pathlib
import re

from studies.frame.engine import ROOT, call, temporary_folder
from studies.frame.numbers import number, percent, rounded
from studies.frame.paper import Table, Verdict

from .keys import HANDLES

# Table 1 of the paper: |V|, |F|, |T|, cubature points, |U| (thousands); time step [s], friction, least and largest E
# [Pa], integrator, refinement iterations.
PAPER = {"basketball_hoop": (83, 160, 229, 94, 2, 0.01, 0.1, 5e5, 1e10, "bdf2", 20),
         "basketball_drop": (61, 124, 168, 33, 1.5, 0.01, 0.5, 1e7, 1e9, "bdf2", 20),
         "kooshball": (150, 245, 450, 13, 4.8, 0.01, 0.2, 5e5, 5e5, "bdf2", 40),
         "shoe": (200, 167, 875, 10, 0.756, 0.01, 0.5, 1e6, 1e8, "bdf2", 20),
         "roller": (110, 85, 516, 34, 2.1, 0.01, 0.1, 2e4, 1e6, "implicit_euler", 20),
         "stressball": (100, 20, 539, 99, 3, 0.001, 0.5, 4e5, 1e8, "bdf2", 20),
         "jello_anvil": (148, 37, 813, 19, 1.5, 0.005, 0.1, 4e5, 1e9, "bdf2", 20)}
LEAST_HANDLES = 4  # of a coarse mesh


def large_mesh(scene):
    """Vertices and tets at size large, from the scene's page, which `scripts/gallery --update-pages` writes."""
    page = (ROOT / f"docs/gallery/{scene}.md").read_text()
    counts = {}
    heads = [cell.strip() for cell in re.search(r"^\| mesh \|(.*)\|$", page, re.M).group(1).split("|")]
    for row in ("vertices", "tets"):
        cells = [cell.strip() for cell in re.search(rf"^\| {row} \|(.*)\|$", page, re.M).group(1).split("|")]
        counts[row] = int(cells[heads.index("large")].replace(",", ""))
    return counts


def handles(scene, vertices):
    """As many vertices per handle as in the paper."""
    return max(LEAST_HANDLES, round(HANDLES[scene] * vertices / (1000 * PAPER[scene][0])))


def measure(engine):
    numbers = {}
    for scene in PAPER:
        facts, completed = engine.check(scene)
        moduli = [material["young"] for material in completed["materials"].values()]
        count = handles(scene, facts["vertices"])
        with temporary_folder() as folder:
            report = pathlib.Path(folder) / "subspace.json"
            settings = ["solver.multilevel.stiffness_exponent=1", 'solver.cubature={"rule":"modal"}']
            call(engine.sinew, *engine.words("subspace", scene, settings, "--handles", count, "--cubature"), "--json",
                 report)
            subspace = json.loads(report.read_text())
        numbers[scene] = {"large": large_mesh(scene), "tets": facts["tets"], "vertices": facts["vertices"],
                          "young": [min(moduli), max(moduli)],
                          "step": completed["time"]["step"], "friction": completed["contact"]["friction"],
                          "integrator": completed["time"]["integrator"], "handles": subspace["handles"],
                          "points": subspace["cubature_points"], "hops": subspace["mean_hops"]}
    return numbers


def span(low, high):
    return number(low) if low == high else f"{number(low)} to {number(high)}"


def same_model(scene, row):
    paper = PAPER[scene]
    return (row["step"], row["friction"], row["young"][0], row["integrator"]) == (paper[5], paper[6], paper[7],
                                                                                  paper[9])


def tables(numbers):
    meshes, rules = [], []
    for scene, row in numbers.items():
        paper = PAPER[scene]
        names = {"bdf2": "BDF2", "implicit_euler": "IE"}
        meshes.append([f"[{scene}](../gallery/{scene}.md)", rounded(row["large"]["vertices"]), f"{paper[0]}k",
                       rounded(row["large"]["tets"]),
                       f"{paper[2]}k", span(*row["young"]), span(*paper[7:9]), number(row["step"]),
                       number(row["friction"]),
                       names[row["integrator"]]])
        rules.append([scene, rounded(row["tets"]), row["handles"], 12 * row["handles"], f"{paper[4]:g}k",
                      row["points"], f"{paper[3]}k",
                      percent(row["points"] / row["tets"]), percent(paper[3] / paper[2])])
    return [Table("Scenes at size large", ["scene", "vertices", "theirs", "tets", "theirs", "E [Pa]", "theirs",
                                           "time step [s]", "friction",
                                           "integrator"], meshes),
            Table("Subspaces and cubature", ["scene", "tets", "handles", "unknowns", "theirs", "points", "theirs",
                                             "points per tet",
                                             "theirs"], rules)]


def verdict(numbers):
    ratios = [row["large"]["tets"] / (1000 * PAPER[scene][2]) for scene, row in numbers.items()]
    model = sum(same_model(scene, row) for scene, row in numbers.items())
    shares = [row["points"] / row["tets"] for row in numbers.values()]
    theirs = [row[3] / row[2] for row in PAPER.values()]
    ours = (f"large meshes have {min(ratios):.1f} to {max(ratios):.1f} times the paper's tets. {model} of "
            f"{len(numbers)} scenes have its moduli, step, friction and integrator. Points per tet: "
            f"{percent(min(shares), 0)} to {percent(max(shares), 0)} (paper {percent(min(theirs), 0)} to "
            f"{percent(max(theirs), 0)})")
    if 0.5 < min(ratios) and model == len(numbers):
        return Verdict("same", ours)
    return Verdict("differs", ours, "a scene has another material model or a mesh of less than half the size")
