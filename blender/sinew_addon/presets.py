"""Materials that a body can start from."""

# Name -> label, model, Young's modulus [Pa], Poisson's ratio, density [kg/m^3].
PRESETS = {
    "RUBBER": ("Rubber", "neo_hookean", 1e6, 0.45, 1100),
    "STEEL": ("Steel", "neo_hookean", 2e11, 0.3, 7850),
    "FOAM": ("Foam", "neo_hookean", 3e4, 0.1, 60),
    "FLESH": ("Flesh", "neo_hookean", 5e4, 0.45, 1050),
    "JELLY": ("Jelly", "neo_hookean", 1e4, 0.45, 1000),
}

# Models that Young's modulus and Poisson's ratio describe, with a label.
MODELS = {
    "neo_hookean": "Neo-Hookean",
    "stable_neo_hookean": "Stable neo-Hookean",
    "fixed_corotated": "Fixed corotated",
    "corotated": "Corotated",
    "arap": "As rigid as possible",
    "stvk": "St. Venant-Kirchhoff",
    "hencky": "Hencky",
}
