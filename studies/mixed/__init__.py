"""Subspace Mixed Finite Elements for Real-Time Heterogeneous Elastodynamics."""

from studies.frame.paper import Item, Paper, Verdict

PAPER = Paper(
    key="mixed", short="SMFEM", title="Subspace Mixed Finite Elements for Real-Time Heterogeneous Elastodynamics",
    cite="Trusty, Benchekroun, Grinspun, Kaufman, Levin 2023.",
    about="""
The methods are [`mixed` and `reduced`](../methods/reduced.md). "Mixed" is `mixed`, the paper's MFEM. "Standard" is
`reduced`, the paper's FEM: the same subspace and the same cubature points without independent stretches. "Converged"
steps end at the tolerance; other steps end after the stated number of iterations. "Modes" of the paper are handles here;
each has 12 unknowns. Figures without a number are pictures whose content the text describes.

The default cubature of sinew is fitted to the reduced stiffness, not clustered as in the paper. [Own
studies](own.md) compare the rules.
""",
    items=[
        Item("Figure 1", "A mammoth of 531,565 tets is thrashed about by its back bone. Mixed elements keep the "
                         "rotation of the limbs; standard elements, not converged, lack it. Full-space mixed elements "
                         "take 263 s an iteration."),
        Item("Figure 2", "A crab hangs by one hind leg: 16 modes, 342 points, two iterations a step. Mixed elements "
                         "swing; standard elements damp the motion heavily."),
        Item("Figure 3", "Smooth weights are no good prior where material properties change sharply.", file="figure_4"),
        Item("Figure 4", "Skinning eigenmodes know the material: weights are flat in stiff parts and vary in soft "
                         "ones."),
        Item("Figure 5", "A bar with stiff parts that turn differently: skinning eigenmodes span rotations, modal "
             "derivatives do not."),
        Item("Figure 6", "Cubature points lie densely in soft regions and sparsely in stiff ones.", file="figure_16"),
        Item("Figure 7", "A soft gatorman with a stiff sword, let go: 10 modes, 192 points. Mixed elements are "
             "over-energetic at one iteration a step, no more from two on; standard elements need many."),
        Item("Figure 8", "A candy with a hard middle is twisted: 16 modes, 192 points. Bounded biharmonic weights "
                         "lock, skinning eigenmodes twist."),
        Item("Figure 9", "One step of a bent octobot, 16 modes, 800 points, three Young's moduli. The Newton decrement "
                         "of mixed elements falls within few iterations, that of standard elements more and more "
                         "slowly."),
        Item("Figure 10", "Shares of an iteration: the assembly of the dense matrix dominates; the local solves for "
             "stretches and multipliers are marginal."),
        Item("Figure 11", "Full-space gradient and time of an iteration over modes and points, octobot, one step. More "
                          "modes lower the error, but many modes with few points raise it."),
        Item("Figure 12", "A pulled hind leg makes the mammoth's trunk jerk. The artefact goes away with more modes."),
        Item("Figure 13", "A pendulum of one material unwinds, 16 modes, 400 points, one iteration a step. Mixed "
                          "elements keep the energy, standard elements damp the rotation."),
        Item("Figure 14", "With as many cubature points as modes, no motion without energy appears."),
        Item("Figure 15", "Any hyperelastic model works."),
        Item("Figure 16", "Cubature points of the pendulum, 16 modes, 400 points: dense in the thin rod, sparse in the "
                          "thick weights."),
        Item("Algorithm 1", "A step in pseudocode, with the matrices that stay constant.", Verdict("drawing", "")),
        Item("Table 1", "Octobot (132,124 tets), gatorman (227,035), mammoth (531,565), crab (223,565). Mixed "
                        "iterations: 1.19, 2.01, 7.37, 5.87 ms. Standard: 1.10, 2.04, 7.56, 5.51 ms. Mixed in full "
                        "space: 3.1, 11.4, 264, 7.5 s.", size="large"),
        Item("Table 1: projection", "The GPU computes all vertices from the reduced coordinates in 0.41 to 0.54 ms.",
             file="lift"),
        Item("Section 7.7, 1,000 steps", "No number: mixed elements may be over-energetic at one iteration a step; the "
             "constraint between stretches and positions holds at convergence.", file="long_run"),
        Item("Section 8, dense and sparse handles", "No number: dense handles against sparse ones is an open tradeoff "
                                                    "of cost and quality.", file="handles"),
    ])
