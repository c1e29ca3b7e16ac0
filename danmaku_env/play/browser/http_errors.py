"""Refusals: what a client is told that sends an impossible request."""

from __future__ import annotations

from http import HTTPStatus


class Refused(Exception):  # noqa: N818 (it reads as what it is)
    """A message that changes nothing; the sentence says why."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def malformed(sentence: str) -> Refused:
    """It cannot be read."""
    return Refused(HTTPStatus.BAD_REQUEST, sentence)


def not_now(sentence: str) -> Refused:
    """It can be read and comes at the wrong moment."""
    return Refused(HTTPStatus.CONFLICT, sentence)


def unknown(sentence: str) -> Refused:
    """It names nothing that is here."""
    return Refused(HTTPStatus.NOT_FOUND, sentence)
