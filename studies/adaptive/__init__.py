"""Trading Spaces: Adaptive Subspace Time Integration for Contacting Elastodynamics."""

from studies.frame.paper import Item, Paper, Verdict

PAPER = Paper(
    key="adaptive", short="TS",
    title="Trading Spaces: Adaptive Subspace Time Integration for Contacting Elastodynamics",
    cite="Trusty, Fei, Levin, Kaufman 2024.",
    about="""
The method is [`adaptive`](../methods/adaptive.md). Two settings of it are compared:

- **As printed**: a step ends by the paper's rule alone (`adaptive.acceptance: "oracle"`). Thresholds, regions and
  numbers of modes come from Tables 1 and 2 of the paper. Scenes that these do not list have the thresholds 0.5.
- **Default**: a step ends once an estimate of its error is below 2 % of its motion. The thresholds are 0.1.

"Enriched" is the share of vertices with their own unknowns. "Error" is the distance of vertices from their positions
with `newton`, over the scene's diagonal. Our full-space methods are `newton` (direct, for IPC-LLT) and `newton-pcg`
(for IPC-CG).
""",
    items=[
        Item("Figure 1", "A boot stomps on a mushroom kingdom of 2.5M tets; 10.5 times faster than IPC.",
             Verdict("shown", "Gallery scene [mushroom_boot](../gallery/mushroom_boot.md); its speed is in Table 1.")),
        Item("Figure 2",
             "10 quadratic modes and 10 skinning eigenmodes miss a local dent. These modes with few enriched "
             "vertices look like full space."),
        Item("Figure 3",
             "One step of a 1D bar: the iterations of stencil descent grow with the number of elements, those "
             "of Newton's method do not."),
        Item("Figure 4", "Ball on a spike: error is large and progress small near the tip, and only there."),
        Item("Figure 5", "A compressed cube slides on a frictionless ramp: large error, but also large progress, so "
             "nothing is enriched."),
        Item("Figure 6", "Non-overlapping parts of modes and vertices; blocks of the linear system.",
             Verdict("drawing", "")),
        Item("Figure 7", "METIS partitions into regions of uniform shape and roughly equal volume."),
        Item("Figure 8", "Ball on a spike: the Newton decrement is small at the contact, where the deformation is "
             "largest. It is large in the rest of the ball."),
        Item("Figure 9",
             "Cube on a spike: coarse, fine and irregular meshes are enriched alike; a cube of 1e8 Pa in place "
             "of 1e5 Pa is not enriched."),
        Item("Figure 10",
             "Beam on a sphere: the affine modes plus 4 candidates; contact activates bending modes, and the "
             "beam bends."),
        Item("Figure 11",
             "Roller on soft terrain: dropping modes and vertices makes the run 1.7 times faster at the same "
             "motion."),
        Item("Figure 12",
             "Boat on an iceberg: a smaller threshold for vertices enriches more, up to all at 1e-2, and the "
             "residual falls by about 3 orders. The threshold for modes changes the residual less."),
        Item("Figure 13", "Mace on a city: the difference to a full-space step is largest at the deepest contacts."),
        Item("Figure 14", "Anvil on blocks of 1e5, 1e6 and 1e9 Pa: 77 %, 11 % and 0 % of the vertices are enriched."),
        Item("Figure 15",
             "Fist and head with time steps of 5e-3, 5e-4 and 5e-5 s: shorter steps enrich more vertices and "
             "resolve the elastic wave."),
        Item("Figure 16",
             "Hand on spikes of 1e4 to 1e12 Pa: Cholesky has one cost, CG reaches 10,000 iterations from 1e8 "
             "Pa on, the Schur solver needs far fewer."),
        Item("Figure 17",
             "Beam on a sphere: 192 skinning eigenmodes need the fewest enriched vertices, then 192 biharmonic "
             "coordinates; 48 linear eigenmodes need by far the most."),
        Item("Figure 18",
             "Koosh ball: 16 skinning eigenmodes cannot move the tentacles. 11 POD modes of a full run come "
             "closer and still need many enriched vertices (27 % in Table 1)."),
        Item("Table 1", "One step of 9 scenes: 0 to 77 % enriched; 1.5 to 285 times faster than IPC-LLT (median 8)."),
        Item("Table 2", "Materials, time steps, tolerances, thresholds, regions and initial modes of 9 scenes."),
        Item("Table 3",
             "One linear solve: 1.7 to 410 times faster than Cholesky (stiff jello: 2e5 times), 3 to 770 times "
             "faster than CG. CG needs more iterations (348 to 2232 against 0 to 356)."),
    ])
