"""Learning Shisouroku: a network that reads cards as tokens (`net`), and self-play from nothing (`selfplay`)."""
