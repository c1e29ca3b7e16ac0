"""Many and fast ones do not slow the others down: connections that say nothing, and pages that talk where they have only to listen."""

import contextlib
import socket
import time

import pytest

from danmaku_env.serve import connections


def plug(there):
    return socket.create_connection(("127.0.0.1", there.port), timeout=10)


def is_cut_off(one):
    one.settimeout(10)
    try:
        return one.recv(1) == b""
    except ConnectionError:
        return True


def test_who_says_nothing_goes_when_there_is_a_crowd(there, person, monkeypatch):
    monkeypatch.setattr(connections, "CROWD", 30)
    monkeypatch.setattr(connections, "GO_AT_ONCE", 10)
    with contextlib.ExitStack() as leaving:
        silent = [leaving.enter_context(plug(there)) for _ in range(60)]
        slow = silent[0]
        with contextlib.suppress(ConnectionError):
            slow.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert is_cut_off(silent[0])
        assert is_cut_off(silent[1])
        before = person.question
        assert person.post("answer", question=before, answer=person.answers[-1]) == (204, "")
        person.until(lambda me: me.over or (me.question or 0) > before)
        assert there.ask("GET", "/")[0] == 200


def is_in_vain(say, seconds=20.0):
    """Whether nobody is there any more after a while of saying it."""
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            say()
    except ConnectionError:
        return True
    return False


def frame(opcode, payload):
    """A frame as a browser sends it, masked with zeros."""
    return bytes([opcode, 0x80 | len(payload)]) + bytes(4) + payload


@pytest.mark.parametrize(
    ("first", "then"),
    [(b"", frame(0x89, b"x" * 100)), (frame(0x01, b"x"), frame(0x00, b"")), (b"", frame(0x8A, b"x" * 100))],
    ids=["pings", "a message without end", "pongs"],
)
def test_a_page_that_talks_without_end_is_cut_off(there, person, first, then):
    with plug(there) as one:
        request = (
            f"GET /s/{person.secret}/live HTTP/1.1\r\nHost: 127.0.0.1:{there.port}\r\nOrigin: {there.address}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        one.sendall(request.encode())
        assert b" 101 " in one.recv(4096)
        one.sendall(first)
        assert is_in_vain(lambda: one.sendall(then * 20))
    assert person.post("belief") == (204, ""), "the person's own page goes on"
