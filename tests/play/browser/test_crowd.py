"""Many and fast ones do not slow the others down: connections that say nothing, and pages that talk where they have only to listen."""

import contextlib
import socket
import time

import pytest

from danmaku_env.play.browser import access, connections


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


def endless_body(there, path="/tables"):
    """A connection that has begun to post, and says no more."""
    one = plug(there)
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{there.port}\r\nOrigin: {there.address}\r\nContent-Length: 100\r\n\r\n"
    one.sendall(f"{head}play".encode())
    return one


def test_who_never_ends_what_they_post_goes_with_the_silent_ones(there, person, monkeypatch):
    monkeypatch.setattr(connections, "CROWD", 30)
    monkeypatch.setattr(connections, "GO_AT_ONCE", 10)
    with contextlib.ExitStack() as leaving:
        posting = [leaving.enter_context(endless_body(there)) for _ in range(60)]
        assert is_cut_off(posting[0])
        assert there.ask("GET", "/")[0] == 200
        assert person.post("belief") == (204, "")


def test_a_message_has_to_end_in_time(there, monkeypatch):
    monkeypatch.setattr(access, "SECONDS_FOR_A_BODY", 0.3)
    with endless_body(there) as one:
        one.settimeout(20)
        answer = b""
        while b"seconds." not in answer:
            more = one.recv(4096)
            assert more
            answer += more
        assert b" 408 " in answer
        assert b"A message has to be there within 0.3 seconds." in answer


@pytest.mark.parametrize("first", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"], ids=["the first", "another"])
def test_the_head_of_a_request_has_to_end_in_time(there, monkeypatch, first):
    """Header by header, of the first request of a connection and of a later one."""
    monkeypatch.setattr(connections, "SECONDS_FOR_A_HEAD", 0.5)
    with plug(there) as one:
        one.sendall(first)
        if first:
            assert one.recv(65536).startswith(b"HTTP/1.1 200")
        one.sendall(b"GET / HTTP/1.1\r\n")
        assert is_in_vain(lambda: (time.sleep(0.1), one.sendall(b"X-More: 1\r\n")))


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
