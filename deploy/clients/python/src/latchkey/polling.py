"""When to ask "signed in yet?" (rest-v1 28.3, sdk-services 8): the same rules as the box's own library."""

from dataclasses import dataclass
from typing import Optional

__all__ = ["Poll", "PollingSchedule"]


@dataclass(frozen=True)
class Poll:
    """The next question. All times in seconds."""

    #: How long to pause before it.
    pause: float
    #: For how long to let the server hold it; ``None`` not to ask for that.
    hold: Optional[int]
    #: When to give up on it.
    timeout: float


class PollingSchedule:
    """Decides about the questions for one code; it has no clock, no randomness and no network.

    A server that holds questions is asked again at once; any other every ``interval``, twice that after five minutes.
    Failures and 429 double the pause up to a minute; a server that asks for a longer one gets it. Every time is in
    seconds, ``now`` and ``expires`` by one clock that nobody sets, ``jitter`` is from 0 up to, but not including, 1.
    """

    #: A server holds up to 55.
    LONGEST_HOLD = 50
    LONGEST_PAUSE = 60.0
    #: A failure that comes sooner says nothing of how long a question can be held.
    _SHORTEST_HOLD = 5
    _SLOW_AFTER = 300.0
    #: Boxes whose held questions were cut off ask again within this time.
    _SPREAD = 3.0

    def __init__(self, interval: float, expires: float) -> None:
        self.interval = min(max(interval, 1.0), 60.0)
        self.expires = expires
        #: Failures since the last useful answer.
        self.failures = 0
        # `None` until the server showed whether it holds questions.
        self._holds: Optional[bool] = None
        self._delay = self.interval
        self._started: Optional[float] = None
        self._early = 0
        self._longest_hold = float(self.LONGEST_HOLD)
        self._last_cut: Optional[float] = None
        # The next question is not to be held: a viewer waits to hear that the connection is back.
        self._is_probing = False

    def begin(self, now: float) -> Poll:
        """The first question, at once."""
        self._started = now
        return self._poll(0.0, now)

    def pending(self, held: Optional[float], changed: bool, now: float, jitter: float) -> Poll:
        """After "not yet". ``held`` is how long the server held the question, ``None`` when it does not do that;
        ``changed`` says whether the code got further meanwhile."""
        self.failures, self._last_cut = 0, None
        is_probing, self._is_probing = self._is_probing, False
        slow = self._started is not None and now - self._started > self._SLOW_AFTER
        self._delay = self.interval * (2 if slow else 1)
        if is_probing:
            return self._poll(0.0, now)
        self._holds = held is not None
        if held is None:
            return self._poll(self._delay * (0.9 + 0.2 * jitter), now)
        if changed or held >= self.interval:
            self._early = 0
            return self._poll(0.0, now)
        # One that says it holds but answers at once is asked more and more slowly.
        pause = min(0.1 * 2 ** min(self._early, 10), self.interval)
        self._early += 1
        return self._poll(pause, now)

    def throttled(self, retry_after: Optional[float], now: float, jitter: float) -> Poll:
        """After 429."""
        self._delay = min(max(retry_after or 0.0, 1.0, self._delay * 2), self.LONGEST_PAUSE)
        own = min(self._delay * (1 + 0.1 * jitter), self.LONGEST_PAUSE)
        # Only later, never sooner than the server asked for.
        return self._poll(max(own, (retry_after or 0.0) * (1 + 0.1 * jitter)), now)

    def failed(self, asked_to_hold: Optional[float], now: float, jitter: float) -> Poll:
        """After 5xx or no answer. ``asked_to_hold`` is how long the question took when it was one to hold."""
        self.failures += 1
        if asked_to_hold is not None and asked_to_hold >= self._SHORTEST_HOLD:
            # Twice in a row is no server that stops: something on the way, such as a proxy, ends long questions.
            if self._last_cut is not None:
                shortest = min(self._last_cut, asked_to_hold, self._longest_hold)
                self._longest_hold = max(float(self._SHORTEST_HOLD), shortest * 0.8)
            self._last_cut = asked_to_hold
            self._holds, self._is_probing = None, False
            return self._poll(min(self.interval, self._SPREAD) * jitter, now)
        self._is_probing = self.failures > 1
        # A server that stops drops every box it holds at once: they come back spread.
        if self._holds:
            self._holds = None
            return self._poll(min(self.interval, self._SPREAD) * jitter, now)
        self._holds = None
        if self.failures > 1:
            self._delay = min(self._delay * 2, self.LONGEST_PAUSE)
            # Boxes that lost one server at one moment do not come back at one moment.
            return self._poll(self._delay * (0.5 + jitter), now)
        return self._poll(self._delay * (0.9 + 0.2 * jitter), now)

    def _poll(self, pause: float, now: float) -> Poll:
        left = max(0.0, self.expires - now)
        # Past the end there is nothing to learn.
        pause = min(pause, left)
        if self._holds is False or self._is_probing:
            return Poll(pause, None, 10.0)
        # A second more than is left, so that the answer at the end is the server's "expired".
        hold = int(min(self._longest_hold, left - pause + 1))
        return Poll(pause, hold, hold + 10.0)
