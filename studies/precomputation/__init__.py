"""Expediting Precomputation for Reduced Deformable Simulation."""

from studies.frame.paper import Item, Paper, Verdict

PAPER = Paper(
    key="precomputation", short="EP", title="Expediting Precomputation for Reduced Deformable Simulation",
    cite="Yang, Li, Xu, Tian, Zheng 2015.",
    about="""
The methods are [modes and rules of cubature](../methods/modes.md); [theory](../theory.md#9-modes) has the equations. The
scenes are shapes of the [gallery](../gallery/README.md), held at one end, of St. Venant-Kirchhoff material with 1 MPa.
The paper measures with eight cores. "Error" of cubature is the distance of reduced forces from those of all tets, over
the latter.
""",
    items=[
        Item("Figure 1", "A metal wire of 76,863 tets with 120 modes sounds; preparing takes 48 s (495 candidates, 680 "
                         "poses, 342 points)."),
        Item("Figure 2", "The steps of the precomputation.", Verdict("drawing", "")),
        Item("Figure 3", "First six inertia modes of a body that nothing holds."),
        Item("Figure 4", "Up to 240 modes of the dinosaur (193,700 tets): reduced Gram-Schmidt is 75 times faster than "
                         "modified Gram-Schmidt.", size="medium"),
        Item("Figure 5", "Four models, 240 modes: the error of sampled inner products falls with the number of "
                         "samples; a number like log n suffices."),
        Item("Figure 6", "30 modes: with a threshold of 0.001 the modes are nearly orthonormal in the mass."),
        Item("Figure 7", "28,680 cosines of pairs of 240 inertia modes of four models: bells around zero."),
        Item("Figure 8", "A bent dinosaur: 2 linear and 3 derivative modes do not suffice; 20 modes with second-order "
             "derivatives bend further than 20 first-order modal derivatives."),
        Item("Figure 9", "Four models: with more training poses the error of the fit rises and that of other poses "
                         "falls; both level off."),
        Item("Figure 10", "Armadillo: the error falls faster with poses centred on the worst ones."),
        Item("Figure 11", "324 candidates: for few modes random projection is worse than PCA, from 30 on the "
             "difference is subtle."),
        Item("Figure 12", "The gargoyle as voxels, 50,000 to 1,000,000 tets.",
             Verdict("shown", "[Octobot](../gallery/octobot.md) at several edge lengths, in figure 13 and the "
                              "tables.")),
        Item("Figure 13", "30 modes of 189 candidates: the seconds of PCA grow steeply with the mesh, those of random "
             "projection hardly."),
        Item("Figure 14", "The displacement of a dragon's horn over time: modal derivatives and the fast "
                          "precomputation agree visually; the latter is 20 times faster for modal construction."),
        Item("Figure 15", "Animations with optimised and with modal cubature (1000 poses) look alike, as do those with "
                          "225 incremental and with 5000 random poses."),
        Item("Figure 16", "15 dragons with 18 modes each fall down stairs; preparing takes 4.2 s, once for all."),
        Item("Figure 17", "A tree of 1,102,000 tets and 513 domains; preparing takes less than a minute."),
        Item("Figure 18", "A skeleton moves a character with warped linear modes; preparing takes 0.8 s."),
        Item("Figure 19", "The midpoint rule in one dimension.", Verdict("drawing", "")),
        Item("Table 1", "Preparing 30 modes takes 4.2 s for 50,000 tets (217 poses) to 9.7 s for 193,700 tets (150 "
                        "poses)."),
        Item("Table 2", "Inertia modes are 20 to 30 times faster than Matlab's eigs, from 50,000 to 1,000,000 tets. 30 "
                        "modes of 50,000 tets take 0.7 s instead of 9.8 s."),
        Item("Table 3", "Modal cubature needs fewer points than optimised cubature, 59 instead of 110 for 1 %, and is "
             "1500 times faster."),
        Item("Appendix C", "Newton's method with products from differences of forces: 3 to 5 inner iterations to a "
             "tolerance of 0.001."),
    ])
