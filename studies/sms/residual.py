"""The refinement starts from the residual `r = -g - H d_s`. Rows have the H of all tets, and the cubature Hessian, as
Algorithm 1 prints it. The cubature Hessian has no stiffness at most vertices, so it is meaningful inside the subspace
only."""

from studies.frame.numbers import error
from studies.frame.paper import Verdict

from . import parts
from .parts import of, tables  # noqa: F401

VARIANTS = {"all tets": ({}, {}), "cubature, as in the paper": ({"residual": "cubature"}, {})}


def measure(engine):
    return parts.compare(engine, VARIANTS)


def verdict(numbers):
    full, cubature = of(numbers, "all tets"), of(numbers, "cubature, as in the paper")
    ours = (f"{cubature['text']} directions with the cubature Hessian, {full['text']} with all tets; largest error "
            f"{error(cubature['largest'])} against {error(full['largest'])}")
    slow = cubature["iterations"] > 1.5 * full["iterations"]
    if slow or cubature["failed"] or cubature["largest"] > 3 * full["largest"]:
        return Verdict("differs", ours, "as printed the refinement works against the subspace correction where no "
                                        "cubature tet lies; we take it for a misprint")
    return Verdict("same", ours)
