"""The table for people in a terminal: a seat of your own, and games to look at. Games without people are `matches`."""
