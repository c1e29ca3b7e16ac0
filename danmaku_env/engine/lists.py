"""Lists in fields of the record: the first `size` places count, those behind them are 0. What is taken out leaves no gap."""

from danmaku_env.engine.compiled import kernel


@kernel
def take_out(cards, size, card):
    """Take a card, or whatever else is kept as its number + 1, out of the `size` of a list, keeping their order."""
    place = 0
    while place < size and cards[place] != card + 1:
        place += 1
    for i in range(place, size - 1):
        cards[i] = cards[i + 1]
    cards[size - 1] = 0


@kernel
def take_row(rows, size, place):
    """Take the row at `place` out of the `size` rows of a table, keeping their order."""
    columns = rows.shape[1]
    for i in range(place, size - 1):
        for column in range(columns):
            rows[i, column] = rows[i + 1, column]
    for column in range(columns):
        rows[size - 1, column] = 0
