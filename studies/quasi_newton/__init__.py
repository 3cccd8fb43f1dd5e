"""Quasi-Newton Methods for Real-Time Simulation of Hyperelastic Materials."""

from studies.frame.paper import Item, Paper, Verdict

PAPER = Paper(
    key="quasi_newton", short="QN", title="Quasi-Newton Methods for Real-Time Simulation of Hyperelastic Materials",
    cite="Liu, Bouaziz, Kavan 2017.",
    about="""
The method is [`quasi_newton`](../methods/quasi_newton.md). Time steps are 1/30 s, as in the paper. The *relative error*
of an iterate is (E - E*) / (E_0 - E*) with the energy E of the step, its minimum E* and its value E_0 at the start
(equation 11). The paper used one core of an Intel i7-4910MQ. Rows "as printed" have `rotations: false`; the default of
sinew adds [rotations of parts](../theory.md#7-quasi-newton) to the constant matrix.

Some scenes have the paper's motions with other shapes:

- a [head](../gallery/shaken_head.md) has the place of the squirrel's head,
- a [ball](../../scenes/through_torus.json) is pulled through a torus like the bunny,
- two [blocks](../../scenes/spline.json) are of spline materials like the spheres,
- the [creature](../gallery/soft_creature.md) has the place of the hippo,
- a [bar](../gallery/shaken_bar.md) is shaken, and a [cloth](../../scenes/cloth.json) hangs.
""",
    items=[
        Item("Teaser", "one scene with seven materials: polynomial, spline-based A and B, corotated, StVK, "
                       "neo-Hookean, and Projective Dynamics", Verdict("shown", "[Materials](../../scenes/materials.json) and "
                                            "[two spline blocks](../../scenes/spline.json) run the same models")),
        Item("Figure 1", "a squirrel head on a moving neck: soft Projective Dynamics jiggles but distorts, the stiff "
                         "one does not jiggle, the polynomial material jiggles without large distortion"),
        Item("Figure 2", "without line search the polynomial head becomes unstable; with it 4,280 line-search "
                         "iterations in 400 frames of 10 iterations, 1.07 per iteration"),
        Item("Figure 3", "the Big Bunny, corotated with mu = 5 and lambda = 200, is squeezed through a torus; all "
                         "collisions are resolved with 49.2 line-search iterations a frame"),
        Item("Figure 4", "an elastic cube, corotated with mu = 10 and lambda = 100, falls on the ground with and "
                         "without anisotropic stiffness kappa = 50"),
        Item("Figure 5", "a sphere of two spline-based materials: A resists compression more than neo-Hookean, B "
                         "resists tension more"),
        Item("Table 1", "ten iterations of quasi-Newton (m = 5) take 4.4 to 706 ms, one Newton iteration 171 to 15,800 "
                        "ms and leaves a larger error; L-BFGS costs under 1 %", size="medium"),
        Item("Figure 6", "twisting bar: Projective Dynamics converges slowest, then Chebyshev, then m = 2 (about as "
                         "Chebyshev), then m = 5; Newton is best per iteration, not per second", size="medium"),
        Item("Figure 7", "twisting bar, m = 5: the constant matrix beats scaled identity, rest-pose Hessian, warped "
                         "rest-pose Hessian and, per second, the Hessian at the start of the frame", size="medium"),
        Item("Figure 8", "a corotated bar, held in the middle and shaken: the Hessian of Hecht et al., updated every "
                         "other frame, explodes by ghost forces; quasi-Newton stays stable"),
        Item("Figure 9", "two Projective Dynamics constraints approximate the stress of a polynomial material; those "
                         "that are not active damp the motion"),
        Item("Figure 10", "mass-spring cloth with ten iterations: L-BFGS gives more realistic wrinkles than "
                          "Projective Dynamics"),
        Item("Figure 11", "twisting bar: Newton with 5 or 15 CG iterations, with CG that stops at negative curvature, "
                          "and quasi-Newton with CG are all slower than quasi-Newton with its factor", size="medium"),
        Item("Figure 12", "twisting bar: m = 5 is best; even m = 100 is only slightly worse", size="medium"),
        Item("Figure 13", "twisting bar: the interval of stretches behind the stiffness k hardly matters",
             size="medium"),
        Item("Figure 14", "a hippo of random vertex positions with many inverted tets (corotated, mu = 20, lambda = "
                          "100) returns to its rest pose"),
    ])
