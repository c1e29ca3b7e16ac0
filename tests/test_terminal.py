"""What long work says while it goes on: a bar on a terminal, plain lines in a log file."""

from __future__ import annotations

import io

from danmaku_env.console.terminal import Terminal, counting_bar, games_bar, training_bar


def clock_of(bar):
    """A hand to turn the clock of a bar with, in seconds."""
    hands = [bar.get_time()]
    bar.get_time = lambda: hands[0]
    return hands


def lines(console):
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_a_log_file_gets_a_line_a_minute_that_says_how_far_it_is_and_how_long_is_left():
    console = Terminal(file=io.StringIO(), width=200)
    bar = games_bar(console)
    hands = clock_of(bar)
    task = bar.add_task("", total=1000)
    for _ in range(12):  # two minutes, ten seconds a step
        hands[0] += 10
        bar.advance(task, 50)
    assert lines(console) == ["playing 300/1000 games 0:01:00 left 0:02:20", "playing 600/1000 games 0:02:00 left 0:01:20"]


def test_lines_grow_rarer_in_work_of_many_hours():
    console = Terminal(file=io.StringIO(), width=200)
    bar = training_bar(console)
    hands = clock_of(bar)
    task = bar.add_task("", total=1.0, note="")
    for second in range(0, 24 * 3600, 30):
        hands[0] += 30
        bar.update(task, completed=second / (24 * 3600), note="1.0 M decisions")
    assert 60 < len(lines(console)) < 120
    assert all("left" in line and line.endswith("1.0 M decisions") for line in lines(console))


def test_a_terminal_gets_no_such_lines():
    console = Terminal(file=io.StringIO(), width=200, force_terminal=True)
    bar = counting_bar(console, "checking", "parts")
    hands = clock_of(bar)
    task = bar.add_task("", total=10)
    hands[0] += 3600
    bar.advance(task)
    assert lines(console) == []
