"""Agents with a fault each, for the referee to find."""

import os
import time

import numpy as np


class First:
    """The first legal answer."""

    name = "first"

    def __init__(self, nth: int = 0):
        self.nth = nth

    def reset(self, seed):
        self.seed = seed

    def act(self, observations, masks, info_states=None):
        return masks.argmax(1)


class Last(First):
    """The last legal answer."""

    def act(self, observations, masks, info_states=None):
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)


class Checking(First):
    """Makes sure that what it is handed belongs together, and spoils it."""

    def act(self, observations, masks, info_states=None):
        assert len(info_states) == len(masks) == len(observations)
        for row, info_state in enumerate(info_states):
            game = info_state._game
            assert game.asking == info_state.seat == info_states.seats[row]
            assert (game.observe(info_state.seat) == observations[row]).all()
            assert (game.action_mask() == masks[row]).all()
        answers = super().act(observations, masks)
        observations[:] = 255
        masks[:] = 1
        return answers


class Seeded(First):
    """Random answers, drawn once for a whole call."""

    def reset(self, seed):
        self.rng = np.random.default_rng(seed)

    def act(self, observations, masks, info_states=None):
        return ((0.01 + self.rng.random(masks.shape)) * masks).argmax(1)


class Failing(First):
    """Fails in some positions, some games into a chunk: `seldom` of 97 positions."""

    def __init__(self, seldom: int = 40):
        self.seldom = seldom

    def act(self, observations, masks, info_states=None):
        answers = masks.argmax(1)
        self.bad = (observations.astype(np.int64) * np.arange(observations.shape[1])).sum(1) % 97 < self.seldom
        return self.fail(answers, masks) if self.bad.any() else answers

    def fail(self, answers, masks):
        raise NotImplementedError


class Raising(Failing):
    def fail(self, answers, masks):
        raise ValueError("<b>$no$</b>")


class Leaving(Failing):
    def fail(self, answers, masks):
        raise SystemExit(3)


class Judging(First):
    """Says what it thinks of every answer; `spoilt` is what it does instead."""

    def __init__(self, spoilt: str = ""):
        self.spoilt = spoilt

    def evaluate_actions(self, observations, masks, info_states):
        answers, values, advantages = self.act(observations, masks), np.where(masks, 0.5, -np.inf), np.full(masks.shape, np.nan)
        at = np.arange(len(masks)), answers
        match self.spoilt:
            case "raising":
                raise KeyError("no")
            case "leaving":
                raise SystemExit(3)
            case "two parts":
                return answers, values
            case "illegal":
                answers = masks.argmin(1)
            case "not a number":
                values[at] = np.nan
            case "never":
                values[at] = -np.inf
            case "endless gain":
                advantages[at] = np.inf
            case "narrow":
                values = values[:, :-1]
            case "words":
                advantages = np.full(masks.shape, "good")
            case "marked":
                values[masks == 0], advantages[masks == 0] = np.nan, np.inf
        return answers, values, advantages


class Cheating(Failing):
    def fail(self, answers, masks):
        return np.where(self.bad, (masks == 0).argmax(1), answers)


class OutOfRange(Failing):
    def fail(self, answers, masks):
        return np.where(self.bad, 10_000, answers)


class Negative(Failing):
    """Counts from the end."""

    def fail(self, answers, masks):
        return answers - masks.shape[1]


class WrongShape(Failing):
    def fail(self, answers, masks):
        return np.zeros((len(answers), 2), np.int64)


class Wordy(Failing):
    def fail(self, answers, masks):
        return ["pass" for _ in answers]


class Sleeping(Failing):
    """Would come to an end, but not in time; can be interrupted."""

    def fail(self, answers, masks):
        time.sleep(60)
        return answers


class Stubborn(Failing):
    """Cannot be interrupted."""

    def fail(self, answers, masks):
        while True:
            try:
                time.sleep(60)
            except BaseException:
                continue


class Dying(Failing):
    """Takes its process along."""

    def fail(self, answers, masks):
        os._exit(7)


class NoReset(First):
    def reset(self, seed):
        if seed:
            raise RuntimeError("not today")


class BatchShy(First):
    """Cannot answer several questions at once."""

    def act(self, observations, masks, info_states=None):
        if len(masks) > 1:
            raise ValueError("one at a time")
        return masks.argmax(1)


class NotAnAgent:
    pass


class Unmakeable(First):
    def __init__(self):
        raise OSError("no such weights")


class Optioned(First):
    def __init__(self, path, *, depth: int = 3, greedy: bool = True, width: float = 0.5, seed: int = 0):
        self.path, self.depth, self.greedy, self.width, self.made_with = path, depth, greedy, width, seed


def sleeping():
    """Work whose tasks are numbers of seconds."""

    def sleep(seconds, _):
        time.sleep(seconds)
        yield seconds

    return sleep
