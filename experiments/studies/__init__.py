"""Studies: one question, one figure and one command each; README.md is drawn from their results."""
