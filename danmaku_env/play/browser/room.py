"""A table that is played on while people come and go: who waits for news, agents in threads, the clock.

Agents of all tables answer in threads of their own, a slice at a time (agent_executor.py), so that no table keeps the others waiting,
and the thread that speaks with the browsers never computes for long. A page waits for an event that announces a change, and is then
sent what is different, so a slow connection gets fewer and larger messages and holds nobody up.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from html import escape
from pathlib import Path
from typing import Any

from danmaku_env.agents.base import AnswerError
from danmaku_env.arguments import printable
from danmaku_env.game import Game
from danmaku_env.play.browser.agent_executor import AgentExecutor, NothingMore
from danmaku_env.play.browser.keeping import Keeping, kept_text
from danmaku_env.play.browser.message import outside_blocks, page_blocks, people, state
from danmaku_env.play.browser.table import SeatedPerson, ServedTable
from danmaku_env.play.screen import events

_REVEAL = 0.5
"""Seconds after which what happened so far is shown while agents still think."""
Blocks = dict[str, Any]
"""Blocks of a page by name; `events`, `count` and `read` besides (message.py)."""


class Room:
    """One table and everybody who looks at it."""

    def __init__(
        self, table: ServedTable, thinking: AgentExecutor, belief_panel: Callable[[Game, int], str], folder: Path,
        kept: Keeping | None = None,
    ) -> None:  # fmt: skip
        """The agents answer in `thinking`, where `belief_panel` works too; games are saved in `folder`, or kept as `kept` says."""
        self.table = table
        self.folder = folder
        self.used = time.monotonic()
        """When somebody last did anything."""
        self._thinking = thinking
        self._belief_panel = belief_panel
        self._kept = kept
        self._states = 0
        """How often the table has changed; the file has a number of its own."""
        self._is_writing = False
        self._lock = asyncio.Lock()
        self._news = asyncio.Event()
        self._endings = 0
        self._clock: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._host_notice = ""
        self._is_cleared = False
        self._beliefs: dict[int, tuple[Game, str]] = {}  # seat -> the position its panel was last worked out for, and the panel

    def start(self) -> None:
        """Let the agents play to the first question to a person."""
        self._later(self._go_on())

    async def _go_on(self) -> None:
        async with self._lock:
            await self._play_on()

    async def do(self, change: Callable[..., None], *given: Any) -> None:
        """Something a person does to the table; what it raises is theirs. The agents answer it later."""
        async with self._lock:
            change(*given)
            self._keep_soon()
        self.used = time.monotonic()
        self._later(self._go_on())

    async def say(self, change: Callable[..., None], *given: Any) -> None:
        """Something a person does beside the game; what it raises is theirs."""
        async with self._lock:
            change(*given)
            self._keep_soon()
        self._tell()

    def draw(self) -> tuple[SeatedPerson, str]:
        """Draw a seat (ServedTable.draw_seat). Agents that think meanwhile have nothing to do with it, so nobody waits for them."""
        drawn = self.table.draw_seat()
        self._keep_soon()
        self._tell()
        return drawn

    def enter(self, person: SeatedPerson) -> None:
        """A page of the person was opened."""
        is_new = not person.came
        self.table.enter(person)
        if is_new:
            self._keep_soon()
        self._tell()

    def leave(self, person: SeatedPerson) -> None:
        """A page of the person was closed."""
        self.table.leave(person)
        self._tell()

    def notice(self, person: SeatedPerson, sentence: str) -> None:
        """Say something to one person."""
        person.notice = sentence
        self._tell()

    def notice_host(self, sentence: str) -> None:
        """Say something to whoever laid the table."""
        self._host_notice = sentence
        self._tell()

    def believe(self, person: SeatedPerson) -> None:
        """Open or close the belief panel."""
        person.believes = not person.believes
        self._tell()

    async def messages(self, look: Callable[[], Awaitable[Blocks]]) -> AsyncIterator[str]:
        """What a page is sent: first everything, then what has changed, whenever something has. `look` is the page as it is then."""
        sent: Blocks = {}
        told = -1
        while True:
            news = self._news
            there = await look()
            count, read = there.pop("count", 0), there.pop("read", 0)
            fresh = [event for event in there.pop("events", ()) if event["n"] > told]
            changed = {name: html for name, html in there.items() if sent.get(name) != html}
            if changed or fresh:
                yield json.dumps({"blocks": changed, "events": fresh, "count": count, "read": read, "now": round(1000 * time.time())})
            sent, told = there, count
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_AGAIN):  # wait_for of Python 3.11 may swallow that the page was closed
                    await news.wait()

    async def seat_blocks(self, person: SeatedPerson) -> Blocks:
        """A person's page as it is now."""
        if person.believes:
            await self._work_out_beliefs(person)
        return page_blocks(self.table, person) | {"belief": self._beliefs[person.seat][1] if person.believes else ""}

    async def _work_out_beliefs(self, person: SeatedPerson) -> None:
        """What takes a while: once for each position, however often and on however many pages it is looked at."""
        game = self.table.shown
        if person.seat not in self._beliefs or self._beliefs[person.seat][0] is not game:
            try:
                panel = await self._in_thread(self._belief_panel, game, person.seat)
            except AnswerError as error:
                tell_terminal(str(error))
                panel = "<p>Nobody here can say.</p>"
            self._beliefs[person.seat] = (game, panel)

    async def host_blocks(self) -> Blocks:
        """The blocks of the host's page."""
        notice = f"<p>{escape(self._host_notice)}</p>" if self._host_notice else ""
        return {"notice": notice, "people": people(self.table, links=True), "state": state(self.table)}

    async def outside_blocks(self) -> Blocks:
        """The page of somebody who only looks on."""
        return outside_blocks(self.table)

    # ---- inside

    async def _in_thread(self, what: Callable[..., Any], *given: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thinking, what, *given)

    async def _play_on(self) -> None:
        """Let the agents answer, and people who have no choice; the lock is held."""
        begun = time.monotonic()
        while True:
            await self._agents_answer(begun)
            await self._whole_ticks(begun)
            self.table.settle()
            if self.table.forced is None:
                break
            if wait := self.table.wait_for_forced():
                self._later(self._answer_forced(wait))
                break
            self.table.answer_forced()
        if self.table.game.over:
            await self._end()
        self._keep_soon()
        self._wind_clock()
        self._tell()

    async def _agents_answer(self, begun: float) -> None:
        """All answers of agents that come now; where they take long, what has happened so far shows meanwhile, an event at a time."""
        revealed, seen = begun, events(self.table.game)
        self._tell()  # that the person has answered
        while self.table.asked_agent() is not None and not await asyncio.wrap_future(self._thinking.answer(self.table)):
            happened = self.table.is_slow and events(self.table.game) > seen
            if happened or time.monotonic() - revealed > _REVEAL:
                await self._whole_ticks(begun)
                revealed, seen = time.monotonic(), events(self.table.game)
                self.table.reveal()
                self._tell()
        self._tell_of_trouble()

    async def _whole_ticks(self, begun: float) -> None:
        """Wait until a whole number of ticks has gone by: an answer that came a little sooner is seen no sooner."""
        if tick := self.table.tick:
            await asyncio.sleep(tick - (time.monotonic() - begun) % tick)

    async def _answer_forced(self, wait: float) -> None:
        """After a while give the answer that a person has no choice about."""
        waiting = self.table.forced
        await asyncio.sleep(wait)
        async with self._lock:
            if waiting is not None and self.table.forced == waiting:
                self.table.answer_forced()
                self._keep_soon()
                await self._play_on()

    def _tell_of_trouble(self) -> None:
        """What went wrong with an agent is told where the server was started."""
        if self.table.trouble:
            tell_terminal(self.table.trouble)
            self.table.trouble = ""

    async def _end(self) -> None:
        """The game is over: it is saved, and everything no longer needed is released."""
        if self.table.replay is None:
            await self._save()
        self.table.in_play.rest()
        self._beliefs.clear()

    # ---- while it goes on

    def _keep_soon(self) -> None:
        """Write the table as it is now, in a thread; what changes meanwhile, afterwards."""
        self._states += 1
        if self._kept is not None and not self._is_writing:
            self._is_writing = True
            self._later(self._keep())

    async def _keep(self) -> None:
        written = 0
        try:
            while written != self._states:
                written = self._states
                await asyncio.to_thread(self._write_kept, *self._state())
        except OSError as error:
            self._say_unkept(error)
        finally:
            self._is_writing = False
            self._forget_if_cleared()

    def keep(self) -> bool:
        """Write the table as it is now, at once; whether its game goes on, and is kept. The terminal is told where it is not."""
        try:
            self._write_kept(*self._state())
        except OSError as error:
            tell_terminal(f"a game under way is not kept: {error.filename or self.folder}: {error.strerror or error}")
            return False
        return not self.table.shown.over

    def _state(self) -> tuple[int, str]:
        """The number of the table's state, and its text; "" once the game is over and saved, or has been left behind."""
        is_done = self._is_cleared or (self.table.shown.over and self.table.replay is not None)
        return self._states, "" if is_done else kept_text(self.table)

    def _write_kept(self, number: int, text: str) -> None:
        if self._kept is not None:
            self._kept.write(self._kept.file(self.table), number, text)

    def _say_unkept(self, error: OSError) -> None:
        for person in self.table.people.values():
            person.notice = f"The game is not kept while it goes on: {error.strerror}."
        self._tell()

    def clear(self) -> None:
        """The table makes room for others: a game that nobody has gone on with is saved as far as it got."""
        self._states += 1
        self._is_cleared = True
        with contextlib.suppress(OSError):
            if not self.table.shown.over:
                self._write(self._file(), self.table.shown)
            self._write_kept(self._states, "")
        self._forget_if_cleared()

    def _forget_if_cleared(self) -> None:
        """Nothing is to be written for this table any more, unless a thread is still at it."""
        if self._kept is not None and self._is_cleared and not self._is_writing:
            self._kept.forget(self._kept.file(self.table))

    # ---- its end

    async def _save(self) -> None:
        """Make the finished game a file of its own: in practice one table may end more than once."""
        file = self._file()
        try:
            await asyncio.to_thread(self._write, file, self.table.game)
        except OSError as error:
            for person in self.table.people.values():
                person.notice = f"The game could not be saved: {error.strerror}."
        else:
            self.table.replay = file

    def _file(self) -> Path:
        """A new file beside the finished games."""
        self._endings += 1
        return self.folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{self.table.host[:8]}-{self._endings}.json"

    def _write(self, file: Path, game: Game) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        game.replay().save(file)

    def _wind_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
        seconds, seat = self.table.setting.clock, self.table.pending
        if seconds is None or seat is None:
            return
        question = self.table.people[seat].question
        left = max(0.0, seconds - self.table.asked_for(self.table.people[seat]))
        self._clock = asyncio.get_running_loop().call_later(left, self._time_is_up, seat, question)

    def _time_is_up(self, seat: int, question: int) -> None:
        self._later(self.do(self.table.time_is_up, seat, question))

    def _tell(self) -> None:
        """Wake whoever waits for news."""
        self._news.set()
        self._news = asyncio.Event()

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        """A task has ended; nobody awaits what it raised."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, NothingMore):
            tell_terminal(f"a table has failed: {error!r}")


def tell_terminal(words: str) -> None:
    """Say something where the server was started."""
    with contextlib.suppress(OSError):  # the terminal may be gone
        print(printable(f"danmaku: {words}"), file=sys.stderr, flush=True)


_LOOK_AGAIN = 5.0
"""Seconds after which a page looks even without news: somebody may be gone for long enough by then."""
