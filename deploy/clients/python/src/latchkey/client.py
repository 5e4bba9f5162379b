"""The interface that both kinds of client share, and how both ask about a list."""

from typing import Callable, Dict, Iterable, Iterator, List, Optional, Protocol, Sequence

from .cancellation import Cancellation
from .errors import BadRequest
from .model import JSON, Authorization, Decision, Event, MediaToken, Provider, Status

__all__ = ["Client"]

#: How many resources most servers take in one question for locks.
_PREAUTHORIZATION_BATCH = 5


class Client(Protocol):
    """A box's sign-in for one requestor, through the box's agent or without one.

    Every call may raise ``Unreachable``, ``Untrusted``, ``Throttled``, ``ServerFault``, ``BadAnswer`` and
    ``BadRequest``; through the agent also ``PermissionUndetermined`` and ``PermissionDenied``, without it
    ``CredentialsRefused`` and ``StateError``. Calls may come from several threads.
    """

    @property
    def requestor(self) -> str:
        """The channel brand that the sign-in is for."""

    def status(self) -> Status:
        """Where the box stands."""

    def providers(self) -> List[Provider]:
        """The TV providers that viewers can pick, in the operator's order."""

    def pair(self, mvpd: Optional[str] = None, cancel: Optional[Cancellation] = None) -> Iterator[Event]:
        """Pairs the box and tells how it goes, from ``CodeIssued`` to an event whose ``is_last`` is true.

        The iterator blocks between events; it waits for a server that is away, also at the start. ``cancel`` ends it
        from another thread, with ``CodeWithdrawn``; a caller that merely stops reading leaves the code valid until it
        runs out. ``mvpd`` names the provider where it was picked on the box.
        Raises ``AlreadySignedIn`` at the first step.
        """

    def authorize(self, resource: str) -> Authorization:
        """Asks whether the viewer may play the resource.

        Raises ``NotAuthorized``, ``NotSignedIn``.
        """

    def media_token(self, resource: str) -> MediaToken:
        """A new token for the media back end; authorizes first where that is needed.

        Raises ``NotAuthorized``, ``NotSignedIn``.
        """

    def preauthorize(self, resources: Sequence[str]) -> List[Decision]:
        """What :meth:`authorize` would probably say, for 1 to 200 resources, in their order.

        Raises ``NotSignedIn``.
        """

    def metadata(self, key: str) -> JSON:
        """What the provider tells of the viewer under this name; ``None`` where it tells nothing.

        Raises ``NotSignedIn``.
        """

    def logout(self) -> None:
        """Signs the viewer out on this box; nothing happens when nobody is signed in."""


def preauthorized(resources: List[str], ask: Callable[[List[str]], Iterable[Decision]]) -> List[Decision]:
    """What ``ask`` says of batches of the resources, in the order of all. Raises what ``ask`` raises.

    A server with a lower limit than most is asked about one resource at a time.
    """
    found: Dict[str, Decision] = {}
    left, size = list(dict.fromkeys(resources)), _PREAUTHORIZATION_BATCH
    while left:
        batch = left[:size]
        try:
            found.update((decision.resource, decision) for decision in ask(batch))
        except BadRequest as error:
            # The agent has no code of its own for it.
            if len(batch) == 1 or error.code not in ("too_many_resources", "bad_request"):
                raise
            size = 1
        else:
            del left[:size]
    return [found.get(resource, Decision(resource, False)) for resource in resources]
