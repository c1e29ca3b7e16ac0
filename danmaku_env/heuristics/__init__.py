"""What an answer is worth at first sight: what cards do, the weights of a style, role preferences, and the kernels that value answers."""
