"""Pairing without an agent: a code, the questions about it, and its end (rest-v1 11, 13.5)."""

import random
import re
import time
import urllib.parse
from dataclasses import dataclass
from typing import Callable, Dict, Generator, Iterator, List, Optional, TypeVar

from . import qr, reading
from .cancellation import Cancellation
from .errors import (
    AlreadySignedIn, BadAnswer, Cancelled, LatchkeyError, ServerFault, Throttled, Unreachable)
from .model import (
    Approved, Code, CodeExpired, CodeIssued, CodeWithdrawn, Confirming, Declined, Event, PageLeft, PageOpened,
    ProviderRefused, Reachable, SlowDown, Unanswered)
from .polling import PollingSchedule
from .transport import Answer
from .wire import Wire

__all__ = ["CodeOptions", "DirectPairing"]

#: Failures in a row that are worth telling.
_PROBLEM = 2
#: What the server's words for a code that is not over mean.
_PROGRESS: Dict[str, Event] = {
    "waiting": PageLeft(), "opened": PageOpened(), "loggingIn": PageOpened(), "confirming": Confirming()}
#: A short address as the server makes them: what a QR picture holds most densely.
_SHORT = re.compile(r"HTTPS?://[0-9A-Z.:\[\]/-]{1,240}\Z")
#: Seconds: codes that live shorter are not renewed at once, so that a faulty server is not asked without end.
_SHORTEST_LIFE = 15.0
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class CodeOptions:
    """How codes are asked for, as :class:`~latchkey.direct.DirectClient` explains."""

    base: str
    activation_url: Optional[str]
    lifetime: int
    renews: bool
    interval: float


class _Watch:
    """What the server's answers tell of one code."""

    def __init__(self) -> None:
        #: How far it is, in the server's words; ``None`` while it does not say.
        self.state: Optional[str] = None
        #: Whether the server is one that says.
        self.tells_states = False
        self.was_opened = False
        #: Whether its time is over.
        self.is_over = False
        self._refusal: Optional[str] = None

    def consider(self, answer: Answer) -> List[Event]:
        """The news in an answer with the status 200, 404 or 410."""
        if answer.status == 200:
            members = answer.members()
            return [Approved(reading.text(members, "mvpd"), reading.milliseconds(members, "expires"))]
        told = answer.headers.get("latchkey-code-state")
        self.tells_states = self.tells_states or told is not None
        # A server that knew the code and does not any more forgot it when its time was over.
        self.is_over = told == "expired" or (told is None and self.state is not None)
        # Completed, and yet no sign-in: the box was signed in with it, and is not any more.
        ends: Dict[Optional[str], Event] = {
            "declined": Declined(), "cancelled": CodeWithdrawn(), "completed": CodeExpired()}
        if told in ends:
            return [ends[told]]
        return [] if self.is_over else self._progress(told, answer)

    def _progress(self, told: Optional[str], answer: Answer) -> List[Event]:
        if told == "waiting" and answer.headers.get("latchkey-code-opened") == "true":
            told = "opened"
        news: List[Event] = []
        step, last = _PROGRESS.get(told or ""), _PROGRESS.get(self.state or "waiting")
        if step and step != last:
            news.append(step)
        self.state = told
        self.was_opened = self.was_opened or told in ("opened", "loggingIn", "confirming")
        reason = urllib.parse.unquote(answer.headers.get("latchkey-provider-reason", "")) or None
        if reason is not None and reason != self._refusal:
            news.append(ProviderRefused(reason))
        self._refusal = reason
        return news


@dataclass(frozen=True)
class _Pairing:
    """A code on show, and how far it got."""

    code: Code
    schedule: PollingSchedule


class DirectPairing:
    """Pairs one box."""

    def __init__(self, wire: Wire, options: CodeOptions, is_signed_in: Callable[[Cancellation], bool]) -> None:
        self._wire, self._options, self._is_signed_in = wire, options, is_signed_in

    def run(self, mvpd: Optional[str], cancel: Cancellation) -> Iterator[Event]:
        """The events, as ``Client.pair`` promises them."""
        pairing: Optional[_Pairing] = None
        try:
            yield from self._until_answered(lambda: self._require_signed_out(cancel), cancel)
            short_lives = 0
            while True:
                pairing = yield from self._until_answered(lambda: self._new_code(mvpd, cancel), cancel)
                shown_at = time.monotonic()
                yield CodeIssued(pairing.code)
                is_renewed = yield from self._wait_for(pairing, cancel)
                if not is_renewed:
                    return
                short_lives = short_lives + 1 if time.monotonic() - shown_at < _SHORTEST_LIFE else 0
                if short_lives and cancel.wait(min(2.0 ** (short_lives - 1), 60.0)):
                    raise Cancelled()
        except Cancelled:
            if pairing:
                self._withdraw(pairing.code.code)
            yield CodeWithdrawn()

    def _require_signed_out(self, cancel: Cancellation) -> None:
        if self._is_signed_in(cancel):
            raise AlreadySignedIn()

    def _until_answered(self, call: Callable[[], _Result], cancel: Cancellation) -> Generator[Event, None, _Result]:
        """Repeats a call until the server answers it, at most every minute, and tells what holds it up."""
        failures = 0
        while True:
            try:
                result = call()
            except Throttled as error:
                pause = max(error.retry_after or 0.0, 1.0)
                yield SlowDown(pause)
                pause *= 1 + 0.1 * random.random()
            except (Unreachable, ServerFault) as error:
                if failures == 0:
                    yield Unanswered(str(error))
                failures += 1
                # Boxes that lost one server come back spread.
                pause = min(2.0 ** failures, 60.0) * (0.5 + random.random())
            else:
                if failures:
                    yield Reachable()
                return result
            if cancel.wait(pause):
                raise Cancelled()

    def _new_code(self, mvpd: Optional[str], cancel: Cancellation) -> _Pairing:
        form = {"ttl": str(self._options.lifetime)}
        if mvpd:
            form["mvpd"] = mvpd
        if self._options.activation_url:
            form["registrationURL"] = self._options.activation_url
        path = f"/reggie/v1/{self._wire.requestor}/regcode"
        answer = self._wire.call("POST", path, form=form, cancel=cancel, repeats=False)
        if answer.status not in (200, 201):
            raise self._wire.error(answer)
        members = answer.members()
        code, expires = reading.code(members), reading.milliseconds(members, "expires")
        info = members.get("info")
        named = reading.optional_text(info, "registrationURL") if isinstance(info, dict) else None
        page = named or self._options.activation_url or f"{self._options.base}/activate"
        if not page.startswith(("https://", "http://")) or len(page) > 2048 or not page.isprintable():
            raise BadAnswer()
        address, _, fragment = page.partition("#")
        url = f"{address}{'&' if '?' in address else '?'}code={code}" + (f"#{fragment}" if fragment else "")
        short = answer.headers.get("latchkey-short-url", "")
        short_url = short if _SHORT.match(short) and short.endswith(code) else None
        left = min(max(0.0, (expires - self._wire.clock.now) / 1000), 36_000.0)
        deadline = time.monotonic() + left
        shown = Code(
            code=code, display_code=reading.grouped(code), url=url, page=page, short_url=short_url,
            qr=qr.png(short_url or url), expires=expires, deadline=deadline)
        return _Pairing(shown, PollingSchedule(self._options.interval, deadline))

    def _wait_for(self, pairing: _Pairing, cancel: Cancellation) -> Generator[Event, None, bool]:
        """Asks until the code was used or is over; says whether another is to follow."""
        schedule, code, watch = pairing.schedule, pairing.code, _Watch()
        poll = schedule.begin(time.monotonic())
        while not watch.is_over:
            if cancel.wait(poll.pause):
                raise Cancelled()
            asked = time.monotonic()
            is_last = asked >= code.deadline
            hold = None if is_last else poll.hold
            had_problem = schedule.failures >= _PROBLEM
            try:
                answer = self._ask(code.code, watch.state is None, hold, poll.timeout, cancel)
                if answer.status == 429:
                    raise Throttled(answer.retry_after)
                if answer.status >= 500:
                    raise ServerFault(answer.status)
            except (Unreachable, ServerFault, BadAnswer) as error:
                now = time.monotonic()
                poll = schedule.failed(now - asked if hold else None, now, random.random())
                if not had_problem and schedule.failures >= _PROBLEM:
                    yield Unanswered(str(error))
            except Throttled as error:
                poll = schedule.throttled(error.retry_after, time.monotonic(), random.random())
                yield SlowDown(max(error.retry_after or 0.0, poll.pause))
            else:
                if had_problem:
                    yield Reachable()
                if answer.status not in (200, 404, 410):
                    raise self._wire.error(answer)
                before = watch.state
                for event in watch.consider(answer):
                    yield event
                    if event.is_last:
                        return False
                now = time.monotonic()
                held = now - asked if "wait" in answer.headers.get("preference-applied", "") else None
                poll = schedule.pending(held, before not in (None, watch.state), now, random.random())
            if is_last:
                break
        # Without the server's word on it, the viewer may be at the page this moment.
        if self._options.renews and watch.tells_states and not watch.was_opened:
            return True
        yield CodeExpired()
        return False

    def _ask(
        self, code: str, may_be_foreign: bool, hold: Optional[int], timeout: float, cancel: Cancellation,
    ) -> Answer:
        """Asks for the sign-in that came of a code.

        Servers that do not say how far a code is are asked for the device's sign-in too: some know no other question.
        """
        wait = {"Prefer": f"wait={hold}"} if hold else {}
        for path in (f"/api/v1/authenticate/{code}", "/api/v1/tokens/authn"):
            answer = self._wire.call("GET", path, cancel=cancel, headers=wait, timeout=timeout, repeats=False)
            if not may_be_foreign or answer.status != 404 or "latchkey-code-state" in answer.headers:
                break
        return answer

    def _withdraw(self, code: str) -> None:
        """Tells the server that the code is not shown any more; it ends by itself where that does not get through."""
        try:
            self._wire.call("DELETE", f"/reggie/v1/{self._wire.requestor}/regcode/{code}", timeout=3.0, repeats=False)
        except LatchkeyError:
            pass
