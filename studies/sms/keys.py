"""Settings of SMS in `sinew compare`."""

from studies.frame.engine import variant

# Clusters by stiffness, as in the paper; the default has clusters of equal size.
CLUSTERS = "solver.multilevel.stiffness_exponent=1"
# Corrections by the basis alone, with the Hessian of all tets and a direct solver.
SUBSPACE = {"affine": "false", "reduced_solver": "factor", "hessian": "full", "lag": 0, "stop": "full", "refinement": 0}
# The four bases that the paper compares.
BASES = {"sms": "SMS", "rbf": "RBF", "biharmonic": "biharmonic", "eigenmodes": "eigenmodes"}
# Handles in the paper's scenes: |U| of Table 1 over 12.
HANDLES = {"basketball_hoop": 167, "basketball_drop": 125, "kooshball": 400, "shoe": 63, "roller": 175,
           "stressball": 250,
           "jello_anvil": 125}


def printed(**settings):
    """The method as printed, with other settings of `solver.multilevel.printed`."""
    return {f"multilevel__printed__{key}": value for key, value in settings.items()}


def subspace_alone(**settings):
    return variant("multilevel", **printed(**SUBSPACE), **settings)


def as_printed(changed=(), **settings):
    """The printed method as a whole, with its clusters and its cubature. `changed` replaces keys of `printed`."""
    cubature = {} if any(key.startswith("cubature") for key in settings) else {"cubature__rule": "modal"}
    return variant("multilevel", multilevel__stiffness_exponent=1, **cubature,
                   **printed(**{"affine": "true", **dict(changed)}), **settings)
