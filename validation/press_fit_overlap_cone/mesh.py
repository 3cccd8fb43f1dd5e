from meshes import overlapping_tubes


def meshes():
    return overlapping_tubes(0.005, taper=0.05)
