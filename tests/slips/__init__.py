"""Small slips planted in the cards and in the engine, and which tests notice them: `python -m tests.slips`."""
