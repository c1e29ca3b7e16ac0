"""Learning from a teacher: `imitate` is the trainer, `examples` the games with a teacher, `student` the network that learns."""
