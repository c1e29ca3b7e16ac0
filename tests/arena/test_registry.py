"""Agents by name, and sentences for names that make none."""

import os
from pathlib import Path

import pytest

from danmaku_env.agents import registry
from danmaku_env.agents.random import RandomAgent

BOTS = "tests.arena.bots"


def test_short_names_make_agents_with_seeds():
    agent = registry.make("random", 5)
    assert isinstance(agent, RandomAgent)
    assert "random" in registry.names()
    assert agent._rng.random() == registry.make("random", 5)._rng.random() != registry.make("random", 6)._rng.random()


def test_a_class_of_ones_own_with_options():
    agent = registry.make(f"{BOTS}:Optioned:some/file, depth=5,greedy=no,width=0.25", 9)
    assert (agent.path, agent.depth, agent.greedy, agent.width, agent.made_with, agent.seed) == ("some/file", 5, False, 0.25, 9, 9)
    assert registry.make(f"{BOTS}:Optioned:path=x", 1).path == "x"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("shark", "there is no agent 'shark'; there are random"),
        ("", "there is no agent ''"),
        ("shark", "population:NUMBER, policy:FILE, or your own"),
        ("neural:", "'neural:' says nothing after the colon"),
        ("neural:path=", "path is empty: leave it out"),
        (None, "an agent is named by text, not by None"),
        (3, "an agent is named by text, not by 3"),
        ("random:depth=3", "'depth' is not an option; the options are: none"),
        ("random:quick", "'quick' is not an option"),
        (f"{BOTS}:Optioned", f"needs its path, as in '{BOTS}:Optioned:path=...'"),
        (f"{BOTS}:Optioned:a,b", "'path' is given twice|'b' is not an option"),
        (f"{BOTS}:Optioned:a,depth=many", "depth must be a whole number, not 'many'"),
        (f"{BOTS}:Optioned:a,greedy=perhaps", "greedy must be yes or no"),
        (f"{BOTS}:Optioned:a,width=", "width must be a number"),
        (f"{BOTS}:Optioned:a,deep=1", "'deep' is not an option; the options are: path, depth, greedy, width"),
        (f"{BOTS}:Nobody", "has no class 'Nobody'; it has"),
        (f"{BOTS}:NotAnAgent", "has no method 'act'"),
        (f"{BOTS}:Unmakeable", "cannot be made: OSError: no such weights"),
        ("nowhere.at_all:Agent", "there is no module 'nowhere'"),
        ("random.Agent", "there is no agent 'random.Agent'"),
    ],
)
def test_what_makes_no_agent_is_said_in_a_sentence(spec, words):
    with pytest.raises(registry.AgentError, match=words):
        registry.make(spec, 0)


@pytest.mark.parametrize("seed", [None, True, -1, 1.5])
def test_agents_are_seeded_by_whole_numbers(seed):
    with pytest.raises(ValueError, match="a seed is a whole number from 0"):
        registry.make("random", seed)


def test_modules_of_the_working_directory_are_found(tmp_path, monkeypatch):
    (tmp_path / "my_own_bot.py").write_text(
        "class Bot:\n    def act(self, o, m, h=None): return m.argmax(1)\n    def reset(self, seed): ...\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(registry.sys.path))
    assert registry.make("my_own_bot:Bot", 0).act
    before = registry.fingerprint("my_own_bot:Bot")
    assert before == registry.fingerprint("my_own_bot:Bot") != registry.fingerprint("random")
    (tmp_path / "my_own_bot.py").write_text((tmp_path / "my_own_bot.py").read_text() + "# changed\n")
    assert registry.fingerprint("my_own_bot:Bot") != before


def test_fingerprints_look_into_named_files(tmp_path):
    weights = tmp_path / "weights.safetensors"
    weights.write_bytes(b"1")
    for spec in (f"{BOTS}:Optioned:{weights}", f"{BOTS}:Optioned:path={tmp_path}"):
        weights.write_bytes(b"1")
        before = registry.fingerprint(spec)
        weights.write_bytes(b"2")
        assert registry.fingerprint(spec) != before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_fingerprints_look_at_files_only(tmp_path):
    """A device has no end, a pipe nobody who writes, and an editor leaves links to nowhere."""
    os.mkfifo(tmp_path / "pipe.safetensors")
    (tmp_path / "lost.safetensors").symlink_to("nowhere")
    (tmp_path / "circle").symlink_to("circle")
    for named in ("/dev/zero", tmp_path / "pipe.safetensors", tmp_path, tmp_path / "circle"):
        assert registry.fingerprint(f"{BOTS}:Optioned:path={named}")
        assert registry.fingerprint(f"exec:true {named}")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that nobody can read")
def test_a_named_file_that_cannot_be_read_is_said():
    with pytest.raises(registry.AgentError, match="cannot be looked at: /proc/self/mem cannot be read: Input/output error"):
        registry.fingerprint("exec:true /proc/self/mem")
