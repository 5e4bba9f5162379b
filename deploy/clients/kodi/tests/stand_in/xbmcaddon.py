"""A stand-in for Kodi's module of the same name; texts and defaults are those of the add-on's files."""

import pathlib
import re
import xml.etree.ElementTree as ElementTree
from typing import Dict, List

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "script.latchkey"

#: What the tests set and look at.
values: Dict[str, str] = {}
language = "en_gb"
profile = "/nonexistent"
opened: List[str] = []


def defaults() -> Dict[str, str]:
    """The settings' defaults."""
    tree = ElementTree.parse(FOLDER / "resources/settings.xml")
    return {setting.get("id", ""): setting.findtext("default") or "" for setting in tree.iter("setting")}


def strings(name: str) -> Dict[int, str]:
    """The texts of a language."""
    path = FOLDER / f"resources/language/resource.language.{name}/strings.po"
    found = re.findall(r'msgctxt "#(\d+)"\nmsgid "(.*)"\nmsgstr "(.*)"', path.read_text("utf-8"))
    return {int(number): translated or original for number, original, translated in found}


class Addon:
    """The add-on."""

    def __init__(self, id: str) -> None:
        assert id == "script.latchkey", id

    def getLocalizedString(self, id: int) -> str:  # noqa: N802
        """A text in Kodi's language."""
        return strings(language)[id]

    def getSettingString(self, id: str) -> str:  # noqa: N802
        """A setting."""
        return values[id] if id in values else defaults()[id]

    def getSettingInt(self, id: str) -> int:  # noqa: N802
        """A setting."""
        return int(self.getSettingString(id))

    def getSettingBool(self, id: str) -> bool:  # noqa: N802
        """A setting."""
        return {"true": True, "false": False}[self.getSettingString(id)]

    def getAddonInfo(self, id: str) -> str:  # noqa: N802
        """Where the add-on is."""
        return {"profile": profile, "path": str(FOLDER), "icon": str(FOLDER / "resources/icon.png")}[id]

    def openSettings(self) -> None:  # noqa: N802
        """Shows the settings."""
        opened.append("settings")
