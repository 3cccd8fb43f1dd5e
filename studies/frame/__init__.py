"""What every study shares: calls of sinew, papers and their items, plots, and pages."""
