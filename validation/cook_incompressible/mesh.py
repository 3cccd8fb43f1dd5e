from meshes import second_order, turned_grid


def meshes():
    """The panel of 48 x 44 to 16 and a thickness of 1, in ten-node tets."""
    def place(u, v):
        low, high = 44 * u, 44 + 16 * u
        return 48 * u, low + (high - low) * v
    return {"panel.msh": second_order(*turned_grid(place, (10, 10), [0.0, 1.0]))}
