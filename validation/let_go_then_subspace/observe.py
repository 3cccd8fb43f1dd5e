import sinew


def observe(run):
    scene = run.scene()
    scene["solver"] = {"method": "newton", "handles": 4}
    simulation = sinew.Simulation(scene)
    simulation.fix([0, 1, 2])
    run.step(simulation)
    simulation.unfix([0, 1, 2])
    run.step(simulation)
    try:
        simulation.set_method(run.method)
    except sinew.InputError:
        return {"fall in five steps": 0}
    before = simulation.positions[:, 1].mean()
    for _ in range(5):
        run.step(simulation)
    return {"fall in five steps": simulation.positions[:, 1].mean() - before}
