"""Second-screen TV sign-in for add-ons on a box: through the box's Latchkey agent, or without one.

Both clients have the same calls (:class:`Client`)::

    client = latchkey.AgentClient("NORTHSPORT")
    for event in client.pair():
        if isinstance(event, latchkey.CodeIssued):
            print(event.code.url, event.code.display_code)
    token = client.media_token("North Sport HD")
"""

from .agent import AGENT_SOCKET, AgentClient
from .cancellation import Cancellation
from .client import Client
from .direct import DeviceInformation, DirectClient
from .errors import (
    AlreadySignedIn, BadAnswer, BadRequest, Cancelled, CredentialsRefused, LatchkeyError, NotAuthorized, NotSignedIn,
    PermissionDenied, PermissionUndetermined, ServerFault, StateError, Throttled, Unreachable, Untrusted)
from .model import (
    JSON, Account, AccountProvider, Approved, Authorization, Code, CodeExpired, CodeIssued, CodeWithdrawn,
    Confirming, Decision, Declined, Event, MediaToken, PageLeft, PageOpened, Provider, ProviderRefused, Reachable,
    SignInState, SlowDown, Status, Unanswered, ViewerBox, ViewerBoxes)
from .signing import KeyPair
from .state import BoxState, StateFile, key_pair_from_file

__version__ = "0.1.0"

__all__ = [
    "Account", "AccountProvider", "AGENT_SOCKET", "AgentClient", "AlreadySignedIn", "Approved", "Authorization",
    "BadAnswer", "BadRequest", "BoxState", "Cancellation", "Cancelled", "Client", "Code", "CodeExpired",
    "CodeIssued", "CodeWithdrawn", "Confirming", "CredentialsRefused", "Decision", "Declined", "DeviceInformation",
    "DirectClient", "Event", "JSON", "key_pair_from_file", "KeyPair", "LatchkeyError", "MediaToken",
    "NotAuthorized", "NotSignedIn", "PageLeft", "PageOpened", "PermissionDenied", "PermissionUndetermined",
    "Provider", "ProviderRefused", "Reachable", "ServerFault", "SignInState", "SlowDown", "StateError", "StateFile",
    "Status", "Throttled", "Unanswered", "Unreachable", "Untrusted", "ViewerBox", "ViewerBoxes",
]
