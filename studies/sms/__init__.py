"""Sparse, Geometry- and Material-Aware Bases for Multilevel Elastodynamic Simulation."""

from studies.frame.paper import Item, Paper, Verdict

PAPER = Paper(
    key="sms", short="SMS",
    title="Sparse, Geometry- and Material-Aware Bases for Multilevel Elastodynamic Simulation",
    cite="Trusty, Levin, Kaufman 2025.",
    about="""
The method is [`multilevel`](../methods/multilevel.md). "Error" is the distance of vertices from their positions with
`newton`, over the scene's diagonal; "rms" is its root mean square. "Printed" is the method as the paper prints it:
[`multilevel.printed`](../scene.md#solver) with `stiffness_exponent: 1` and cubature rule `modal`. "Subspace alone" is
the method without refinement: each step is solved for the coefficients of the basis. "CG" are iterations of conjugate
gradients. Meshes of size small have 4,000 to 30,000 tets, those of the paper 168,000 to 875,000.
""",
    items=[
        Item("Figure 1", "A lattice ball in a hoop with a net, 220k tets; 9.8 times faster than IPC.",
             Verdict("shown", "[basketball_hoop](../gallery/basketball_hoop.md)")),
        Item("Figure 2", "Vertex block descent with a fixed number of iterations: plausible for soft, coarse cloth "
                         "(1e4 Pa), highly damped for stiff cloth (1e6 Pa)."),
        Item("Figure 3", "Slab with a cut on a spike: RBFs extend across the gap and lock; eigenmodes, biharmonic "
             "coordinates and `sms` deform correctly."),
        Item("Figure 4", "Stiff plates (1e11 Pa) around a soft core (2e5 Pa): RBFs and biharmonic coordinates lock; "
             "eigenmodes and `sms` bulge."),
        Item("Figure 5", "Only RBFs and `sms` have compact support."),
        Item("Figure 6", "How a basis is built, step by step.", Verdict("drawing", "")),
        Item("Figure 7", "Functions are clipped at 0 and reach 1 at their centres; they sum to 1 (equation 9)."),
        Item("Figure 8", "The error of the subspace falls steadily as handles are added, up to 192."),
        Item("Figure 9", "Cantilever with 4 handles: functions that vanish smoothly at fixed vertices let the beam "
                         "bend further."),
        Item("Figure 10", "Clusters conform to materials and shape of an H; stiff regions have larger clusters."),
        Item("Section 3.6: balance of clusters", "k-means alone gives highly imbalanced clusters on complex shapes; "
                                                 "pruning by a ratio of 1.75 to the median volume mends that.",
             file="section_3_6"),
        Item("Section 3.2: three levels", "Affine, subspace and refinement each have their scale; the subspace bridges "
                                          "to a refinement of few CG iterations.", file="levels"),
        Item("Figure 11", "Ball on a spike, 64 handles: without refinement it compresses much less."),
        Item("Section 3.7.2: Hessian lagging", "The elastic Hessian is reused for up to 5 iterations, to save "
                                               "assembly.",
             file="lagging"),
        Item("Section 3.7.2: number of CG iterations",
             "Mean number of edges from a centroid to its partition's farthest "
             "vertex: always 20 to 40.", file="section_3_7_2"),
        Item("Section 3.8: cubature", "Polynomials of low degree under-integrate, of high degree are dense; fitting "
                                      "products of the basis needs few points.", file="section_3_8"),
        Item("Figure 12", "Fewer cubature points in stiff regions, more in soft ones."),
        Item("Algorithm 1: residual of the refinement",
             "The refinement starts from g - H d_s with the cubature Hessian H.",
             file="residual"),
        Item("Table 1", "Seven scenes of 168k to 875k tets, 1e4 to 1e5 cubature points, 756 to 4.8k subspace "
                        "unknowns."),
        Item("Table 2", "7.6 to 13.4 times faster than IPC with a Cholesky solver, 30 to 50 steps of four scenes; "
                        "error of a step about 1 %."),
        Item("Figure 13", "One step of three scenes from the same state: not distinguishable by eye; largest error "
                          "0.01 (kooshball)."),
        Item("Figure 14", "1e6 to 1e10 Pa: 100 to 200 CG per direction at any stiffness, against nearly 10,000 of "
                          "Newton-PCG at 1e10 Pa; 40 times faster."),
        Item("Figure 15", "Kooshball: 10 CG lose detail and take 3.8 times as long as 40; 40 CG look like IPC."),
        Item("Figure 16", "Shoe of 1e6, 1e7 and 1e8 Pa: large partitions in stiff parts, small ones in the soft "
                          "midsole."),
        Item("Figure 17", "The shoe lands at 5 m/s, bulges between its stiff parts and rebounds."),
        Item("Figure 18", "Stressball (net 1e8 Pa, core 4e5 Pa) at 10 m/s: the core bulges out of the cells."),
        Item("Figure 19", "Two stressballs collide at a relative speed of 20 m/s.", file="figure_18"),
        Item("Figure 20", "Hoop: the rim moves slowly, ball and net deform at medium and high frequency."),
        Item("Figure 21", "Foam roller over soft terrain: prescribed motion, impacts and slow oscillations."),
        Item("Figure 22", "Anvil on jello, 15, 47 and 118 handles: the imprint gets more pronounced."),
        Item("Beyond the paper", "Time and memory against the number of tets.", file="scaling"),
    ])
