"""Learning in any game that has a spec: networks as files and bots (`nets`), and self-play from nothing (`selfplay`)."""
