"""Classes that are no agents, or agents that do anything but answer: `does` names what."""

import abc

import numpy as np

from tests.arena.bots import First


def __getattr__(name):
    raise (AttributeError if name.startswith("_") else ValueError)(f"\x1b[2J{name}")


class WordlessError(Exception):
    def __str__(self):
        raise KeyError("no words")


class Signed(First):
    __signature__ = 5


class Abstract(First, abc.ABC):
    @abc.abstractmethod
    def think(self): ...


class Uncallable(type):
    def __call__(cls):
        raise GeneratorExit


class Unmakeable(First, metaclass=Uncallable):
    pass


class Hinted(First):
    def __init__(self, path: "1 / 0" = ""):
        self.name = f"hinted{path}"


class Nameless(First):
    @property
    def name(self):
        raise SystemExit(3)


class Half(First):
    name = "half\ud800 \x1b]0;title\a\u202e"


class Quitting(First):
    def __init__(self, does: str = "made", what: str = "wordless"):
        self.does, self.what = does, what
        self.on("made")

    def on(self, does):
        if self.does != does:
            return
        raise {
            "wordless": WordlessError, "ctrl-c": KeyboardInterrupt, "exit": SystemExit("\x1b[31mred\nlines"), "generator": GeneratorExit,
            "stop": StopIteration, "memory": MemoryError, "base": BaseException("gone"),
        }[self.what]  # fmt: skip

    def reset(self, seed):
        if seed:
            self.on("reset")

    def act(self, observations, masks, info_states=None):
        self.on("act")
        return super().act(observations, masks)

    def posterior(self, observations, info_states):
        self.on("believe")
        return np.zeros(3)

    def probabilities(self, observations, masks, info_states=None):
        self.on("weigh")
        return np.full(masks.shape, np.nan)
