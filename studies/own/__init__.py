"""Studies of sinew's own choices."""

from studies.frame.paper import Item, Paper

PAPER = Paper(
    key="own", short="own", title="Studies of sinew's own choices",
    cite="These studies belong to no paper.",
    about="""
They compare choices that sinew makes by default with their alternatives.
""",
    items=[
        Item("Choice of the method", "`auto` takes `newton` below 2e4 flops of a factorisation per vertex, else "
             "`multilevel`.", file="choice"),
        Item("Cubature rules at equal numbers of points", "SMFEM takes cluster centres with weights to the power -2 of "
                                                          "the eigenvalues.", file="mixed_rules"),
        Item("Defaults against the printed forms", "The [options](options.md) that the papers print.", file="gains"),
    ],
    more=("options",))
