"""The figures and tables of sinew's five papers, and studies of sinew's own choices, repeated by `scripts/study`."""
