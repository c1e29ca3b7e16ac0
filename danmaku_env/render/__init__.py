"""Pictures of a game for people: `ansi` draws the table as text."""
