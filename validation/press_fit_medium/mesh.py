from meshes import press_fit as meshes  # noqa: F401
