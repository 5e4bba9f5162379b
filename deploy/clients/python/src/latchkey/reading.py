"""Taking documents of a server apart: every member is looked at before it is believed."""

import re
from typing import Any, Dict, List, Optional

from .errors import BadAnswer, BadRequest

#: The end of the year 9999; beyond it a time is a fault of the server.
_LAST_TIME = 253_402_300_799_999
_CODE = re.compile(r"[0-9A-Z]{4,16}\Z")
_REQUESTOR = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
#: Bytes of a resource, as the server takes it.
_RESOURCE_LIMIT = 8192


def text(members: Dict[str, Any], name: str) -> str:
    """A text that must be there. Raises ``BadAnswer``."""
    value = members.get(name)
    if not isinstance(value, str) or not value:
        raise BadAnswer()
    return value


def optional_text(members: Dict[str, Any], name: str) -> Optional[str]:
    """A text, or ``None`` for anything else."""
    value = members.get(name)
    return value if isinstance(value, str) and value else None


def milliseconds(members: Dict[str, Any], name: str) -> int:
    """A time, as a number or as digits (rest-v1 3.9). Raises ``BadAnswer``."""
    value = members.get(name)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 15:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _LAST_TIME:
        raise BadAnswer()
    return value


def optional_milliseconds(members: Dict[str, Any], name: str) -> Optional[int]:
    """A time, or ``None`` when the member is missing. Raises ``BadAnswer`` for what is no time."""
    return milliseconds(members, name) if members.get(name) is not None else None


def objects(members: Dict[str, Any], name: str) -> List[Dict[str, Any]]:
    """A list of objects. Raises ``BadAnswer``."""
    value = members.get(name)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadAnswer()
    return value


def code(members: Dict[str, Any]) -> str:
    """The member ``code``. Raises ``BadAnswer``."""
    value = text(members, "code")
    if not _CODE.match(value):
        raise BadAnswer()
    return value


def grouped(value: str) -> str:
    """A code in two groups, as people read it."""
    return f"{value[:len(value) // 2]}-{value[len(value) // 2:]}"


def checked_requestor(value: str) -> str:
    """A requestor ID. Raises ``BadRequest``."""
    if not _REQUESTOR.match(value):
        raise BadRequest("The requestor must be 1 to 64 letters, digits, '_' or '-'.")
    return value


def checked_resource(value: str) -> str:
    """A resource. Raises ``BadRequest``."""
    if not value.strip() or len(value.encode("utf-8", "surrogatepass")) > _RESOURCE_LIMIT:
        raise BadRequest(f"A resource must have 1 to {_RESOURCE_LIMIT} bytes.")
    return value


def checked_resources(values: List[str]) -> List[str]:
    """The resources of a preauthorization. Raises ``BadRequest``."""
    if not 1 <= len(values) <= 200:
        raise BadRequest("A preauthorization is for 1 to 200 resources.")
    return [checked_resource(value) for value in values]
