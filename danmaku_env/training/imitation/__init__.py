"""Learning from a teacher: `imitate` is the trainer, `lessons` the games with a teacher, `pupil` the network that learns."""
