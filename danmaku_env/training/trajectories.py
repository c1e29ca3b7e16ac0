"""Credit when all seats of a game learn: it runs along each seat's own decisions.

The next position of a seat is the next one at which *it* is asked, however many others answer in between. The reward of a game goes to the
last decision of every seat, whoever ended the game. At the end of a window the last answer of each seat in a game that goes on has no
successor yet. It is carried to the front of the next window, and is learned from once its own successor is known.

A window of T steps in B games is kept in arrays [P + T, B, ...]: the row of seat p in front of it is for the answer of p that waits.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from danmaku_env.machine.records import Array


def seat_credit(
    values: Array, seats: Array, dones: Array, rewards: Array, gae_lambda: float, after: Array | None = None, gamma: float = 1.0
) -> tuple[Array, Array]:
    """[T, B] credit of the answers in a window, TD(lambda) along each seat's own decisions, and [T, B] whether it is known.

    `values` [T, B] are of the `seats` [T, B] that answered, `dones` [T, B] says where a game ended, and `rewards` [T, B, P] what it paid.
    `after` [B, P] are the values of all seats after the window. Without them the credit of a seat's last answer in a game that goes on is
    not known, and 0. `gamma` is the discount from one decision of a seat to its next.
    """
    every = np.arange(values.shape[1])
    credit, known = np.zeros(values.shape, np.float32), np.zeros(values.shape, np.bool_)
    following: Array = np.zeros(rewards.shape[1:], np.float32) if after is None else gamma * after
    ahead, there = np.zeros(following.shape, np.float32), np.full(following.shape, after is not None)
    for step in reversed(range(len(values))):
        over, seat = dones[step], seats[step]
        following[over], ahead[over], there[over] = rewards[step][over], 0, True
        known[step] = there[every, seat]
        credit[step] = np.where(known[step], following[every, seat] - values[step] + gae_lambda * ahead[every, seat], 0)
        following[every, seat], ahead[every, seat], there[every, seat] = gamma * values[step], gamma * credit[step], True
    return credit, known


def carry(carried: int, seats: Array, own: Array, waiting: Array, kept: Iterable[Any]) -> None:
    """Move the answers that wait [P + T, B] in front of the next window, in all arrays that are `kept`. Twice is as once.

    `carried` is P. In front are then the `own` answers of the learner that wait, and no others.
    """
    steps, games = np.nonzero(waiting)
    places = seats[steps, games]
    for array in kept:
        array[places, games] = array[steps, games]
    own[:carried] = waiting[:] = False
    own[places, games] = waiting[places, games] = True
