"""A stand-in for Kodi's module of the same name: windows whose controls are those of the add-on's XML."""

import pathlib
import xml.etree.ElementTree as ElementTree
from typing import Callable, Dict, List, Tuple

#: What the tests look at.
notes: List[str] = []
dialogs: List[str] = []
properties: Dict[str, str] = {}
windows: List["WindowXMLDialog"] = []
#: What the viewer answers.
answer_yes = True
#: Called while the viewer waits; returns whether they stop waiting.
on_wait: Callable[[], bool] = lambda: False
pick: Callable[[List[str]], int] = lambda choices: -1


class Action:
    """A key of the remote control."""

    def __init__(self, number: int) -> None:
        self._number = number

    def getId(self) -> int:  # noqa: N802
        """Its number."""
        return self._number


class Control:
    """A control of a window."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.label = ""
        self.image = b""

    def setLabel(self, label: str) -> None:  # noqa: N802
        """Labels and buttons have one."""
        assert self.kind in ("label", "button"), self.kind
        self.label = label

    def setImage(self, path: str, cached: bool = True) -> None:  # noqa: N802
        """Images have one; the file is there at this moment."""
        assert self.kind == "image" and not cached
        self.image = pathlib.Path(path).read_bytes() if path else b""


class WindowXMLDialog:
    """A dialog from a file of the add-on."""

    def __new__(cls, *arguments: str) -> "WindowXMLDialog":
        made = super().__new__(cls)
        name, folder, skin, size = arguments
        tree = ElementTree.parse(pathlib.Path(folder, "resources/skins", skin, size, name))
        made.controls = {
            int(control.get("id", "0")): Control(control.get("type", "")) for control in tree.iter("control")
            if control.get("id")
        }
        made.is_open = False
        windows.append(made)
        return made

    def __init__(self, *_: object) -> None:
        self.controls: Dict[int, Control]
        self.is_open: bool

    def getControl(self, number: int) -> Control:  # noqa: N802
        """A control of the file."""
        assert self.is_open
        return self.controls[number]

    def show(self) -> None:
        """Kodi shows it and calls onInit."""
        self.is_open = True
        self.onInit()

    def close(self) -> None:
        """Closes it."""
        self.is_open = False

    def onInit(self) -> None:  # noqa: N802
        """Of the subclass."""


class Window:
    """A window of Kodi's own."""

    def __init__(self, number: int) -> None:
        assert number == 10000

    def setProperty(self, name: str, value: str) -> None:  # noqa: N802
        """Other add-ons can read it."""
        properties[name] = value

    def getProperty(self, name: str) -> str:  # noqa: N802
        """Empty where it was not set."""
        return properties.get(name, "")


class ListItem:
    """What is played."""

    def __init__(self, label: str = "", path: str = "") -> None:
        self.properties: List[Tuple[str, str]] = []

    def setProperty(self, name: str, value: str) -> None:  # noqa: N802
        """Kodi's hints."""
        self.properties.append((name, value))


class DialogProgress:
    """Kodi's dialog of something that takes its time."""

    def create(self, heading: str, message: str = "") -> None:
        """Shows it."""
        dialogs.append(message)

    def iscanceled(self) -> bool:
        """Whether the viewer pressed its button."""
        return on_wait()

    def close(self) -> None:
        """Closes it."""
        dialogs.append("closed")


class Dialog:
    """Kodi's own dialogs."""

    def ok(self, heading: str, message: str) -> bool:
        """Something to read."""
        dialogs.append(message)
        return True

    def yesno(self, heading: str, message: str) -> bool:
        """Something to decide."""
        dialogs.append(message)
        return answer_yes

    def select(self, heading: str, choices: List[str]) -> int:
        """Something to pick."""
        dialogs.append(heading)
        return pick(choices)

    def notification(self, heading: str, message: str, icon: str, time: int) -> None:
        """A note in the corner."""
        assert pathlib.Path(icon).exists()
        notes.append(message)
