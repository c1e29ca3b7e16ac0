"""Learning from a teacher: `imitate` is the trainer, `lessons` the games with a teacher, `student` the network that learns."""
