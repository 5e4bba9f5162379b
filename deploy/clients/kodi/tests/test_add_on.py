"""The Kodi add-on, with stand-ins for Kodi's modules and for the agent; without an agent, against a demo server."""

import os
import pathlib
import re
import sys
import tempfile
import threading
import unittest
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any, Dict, Iterator, List, Optional
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [
    str(HERE / "stand_in"), str(HERE.parent / "script.latchkey/resources/lib"), str(HERE.parents[1] / "python/tests"),
]

import xbmc  # noqa: E402
import xbmcaddon  # noqa: E402
import xbmcgui  # noqa: E402
from support import LIMIT, DemoServer, StandInAgent, latchkey  # noqa: E402
from latchkey_kodi import box, permission, screen, script, service, texts, window, worker  # noqa: E402

ADD_ON = HERE.parent / "script.latchkey"


class InKodi(unittest.TestCase):
    """Each test has a Kodi of its own, so to speak."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        xbmcaddon.profile = folder.name + "/profile"
        xbmcaddon.values.clear()
        xbmcaddon.language = "en_gb"
        for kept in (xbmcaddon.opened, xbmc.played, xbmc.log_lines, xbmcgui.notes, xbmcgui.dialogs):
            kept.clear()
        xbmcgui.windows.clear()
        xbmcgui.properties.clear()
        xbmcgui.answer_yes = True
        xbmcgui.pick = lambda choices: -1
        xbmc.on_wait = lambda seconds: False
        xbmcgui.on_wait = lambda: False
        worker.PATIENCE = LIMIT
        self.agent: Optional[StandInAgent] = None

    def with_agent(self, **values: str) -> StandInAgent:
        """The settings name an agent."""
        agent = StandInAgent()
        self.addCleanup(agent.close)
        xbmcaddon.values.update(requestor="DEMO", socket=agent.path, **values)
        return agent

    def left_files(self) -> List[str]:
        """What the add-on left in its folder."""
        return sorted(os.listdir(xbmcaddon.profile)) if os.path.isdir(xbmcaddon.profile) else []


class Pairing(InKodi):
    """The dialog."""

    def pair(self, agent: StandInAgent, event: str, **members: Any) -> window.PairingWindow:
        """Pairs; the viewer decides once the code is on the screen."""
        self.seen: List[str] = []

        def look(_: float) -> bool:
            shown = xbmcgui.windows[0]
            if shown.controls[202].label and not self.seen:
                self.seen = [shown.controls[number].label for number in range(200, 208)]
                self.picture = shown.controls[201].image
                self.files = self.left_files()
                if event == "back":
                    shown.onAction(xbmcgui.Action(92))  # type: ignore[attr-defined]
                elif event == "cancel":
                    shown.onClick(206)  # type: ignore[attr-defined]
                elif event == "abort":
                    return True
                else:
                    agent.end(event, **members)
            return False

        xbmc.on_wait = look
        script.main(["pair"])
        found = xbmcgui.windows[0]
        assert isinstance(found, window.PairingWindow)
        self.assertFalse(found.is_open)
        return found

    def test_the_dialog_shows_picture_address_code_and_countdown(self) -> None:
        agent = self.with_agent()
        self.pair(agent, "approved")
        heading, _, code, address, message, left, cancel, instruction = self.seen
        self.assertEqual((heading, cancel, message), ("Sign in with your TV provider", "Cancel", ""))
        self.assertEqual((code, address), ("[B]M3K-TKHJ[/B]", "https://tv.example/activate?lang=de"))
        self.assertRegex(left, r"^\d+:\d\d left$")
        self.assertTrue(instruction.startswith("Scan this with a phone"))
        self.assertTrue(self.picture.startswith(b"\x89PNG"))
        self.assertEqual(xbmcgui.notes, ["You are signed in."])
        self.assertEqual(xbmcgui.properties["latchkey.signed_in"], "true")
        # It was another program that signed the box in.
        box.publish(False)
        script.main(["pair"])
        self.assertEqual((xbmcgui.notes[1:], box.published()), (["You are signed in."], True))

    def test_the_picture_is_private_and_goes(self) -> None:
        # Of a Kodi that was killed.
        pathlib.Path(xbmcaddon.profile).mkdir()
        pathlib.Path(xbmcaddon.profile, "pairing-00.png").touch()
        self.pair(self.with_agent(), "approved")
        self.assertEqual(len(self.files), 1)
        self.assertEqual(self.left_files(), [])

    def test_a_picture_that_cannot_be_written_is_done_without(self) -> None:
        pathlib.Path(xbmcaddon.profile).touch()
        self.pair(self.with_agent(), "approved")
        self.assertEqual((self.picture, xbmcgui.notes), (b"", ["You are signed in."]))

    def test_it_speaks_german(self) -> None:
        xbmcaddon.language = "de_de"
        self.pair(self.with_agent(), "declined")
        self.assertEqual(self.seen[0], "Beim TV-Anbieter anmelden")
        self.assertEqual(xbmcgui.notes, ["Die Anmeldung wurde am Handy abgelehnt."])

    def test_the_ends_are_said(self) -> None:
        for event, note in (
            ("declined", ["The sign-in was declined on the phone."]),
            ("expired", ["The code has run out. Please start again."]), ("cancelled", []),
        ):
            xbmcgui.windows.clear()
            xbmcgui.notes.clear()
            self.pair(self.with_agent(), event)
            self.assertEqual(xbmcgui.notes, note)

    def test_back_and_cancel_end_the_pairing(self) -> None:
        for way in ("back", "cancel"):
            xbmcgui.windows.clear()
            agent = self.with_agent()
            self.pair(agent, way)
            self.assertIsNone(agent.pairing)
            self.assertEqual(xbmcgui.notes, [])

    def test_kodi_can_end_while_the_dialog_is_open(self) -> None:
        agent = self.with_agent()
        found = self.pair(agent, "abort")
        self.assertTrue(found.cancel.is_cancelled)
        self.assertIsNone(agent.pairing)
        self.assertEqual(self.left_files(), [])

    def test_an_error_that_nothing_foresaw_is_said_and_the_dialog_closes(self) -> None:
        class Broken:
            """A client with a fault of its own."""

            def pair(self, cancel: latchkey.Cancellation) -> None:
                """Fails in a way no caller expects."""
                raise RuntimeError("secret")

        with self.assertRaises(latchkey.LatchkeyError) as raised:
            window.pair(Broken())  # type: ignore[arg-type]
        self.assertNotIn("secret", str(raised.exception) + "".join(xbmc.log_lines))
        self.assertFalse(xbmcgui.windows[0].is_open)

    def test_a_server_that_cannot_be_found_holds_neither_kodi_nor_the_viewer_up(self) -> None:
        started, found = threading.Event(), threading.Event()
        self.addCleanup(found.set)

        class Looking:
            """A client that looks for its server for ever."""

            def pair(self, cancel: latchkey.Cancellation) -> Iterator[latchkey.Event]:
                """Hears of no cancellation."""
                started.set()
                found.wait()
                return iter(())

        def cancel(_: float) -> bool:
            xbmcgui.windows[-1].onClick(206)  # type: ignore[attr-defined]
            return False

        worker.PATIENCE = 0.0
        for xbmc.on_wait in (lambda _: started.wait(60), cancel):
            self.assertFalse(window.pair(Looking()))  # type: ignore[arg-type]
            self.assertFalse(found.is_set() or xbmcgui.windows[-1].is_open)

    def test_errors_are_said_in_kodis_language(self) -> None:
        agent = self.with_agent()
        agent.next_answer = (500, {"error": "internal", "message": "x"}, {})
        xbmcaddon.language = "de_de"
        agent.permission = "denied"
        script.main(["pair"])
        script.main(["pair"])
        for code, said in (("storage", "Ist der Datenträger voll?"), (None, "Zu viele Programme fragen zugleich")):
            agent.next_answer = (503, {"error": code, "message": "x"} if code else None, {})
            script.main(["logout"])
            self.assertIn(said, xbmcgui.dialogs[-1])
        script.main(["pair"])
        self.assertEqual(xbmcgui.dialogs[-1], "Der Besitzer erlaubt Kodi die Anmeldung nicht.")

    def test_news_is_shown_in_one_line(self) -> None:
        shown = screen.Screen()
        self.assertEqual(shown.line, "Asking for a code…")
        code = latchkey.Code("M3KTKHJ", "M3K-TKHJ", "https://tv.example/", "https://tv.example/", None, None, 0, 0.0)
        shown = shown.after(latchkey.CodeIssued(code))
        self.assertEqual((shown.line, shown.left), ("", "0:00 left"))
        for event, line in (
            (latchkey.PageOpened(), "Somebody is entering the code now."),
            (latchkey.Unanswered("x"), "No connection, still trying."),
            (latchkey.Reachable(), "Somebody is entering the code now."),
            (latchkey.ProviderRefused("Not you."), "Not you."), (latchkey.SlowDown(3), "Not you."),
            (latchkey.Unanswered("x"), "No connection, still trying."), (latchkey.Reachable(), "Not you."),
            (latchkey.ProviderRefused("wrong_credentials"),
             "The account name or the password was wrong. Try again on the phone."),
            (latchkey.ProviderRefused(), "The TV provider did not let you in. Try again on the phone."),
            (latchkey.Unanswered("x"), "No connection, still trying."),
            (latchkey.Confirming(), "Now confirm this TV on your phone."),
            (latchkey.CodeIssued(replace(code, deadline=9e9)), "Now confirm this TV on your phone."),
            (latchkey.PageLeft(), ""), (latchkey.CodeIssued(replace(code, code="BCDFGHJ")), "The code was renewed."),
        ):
            shown = shown.after(event)
            self.assertEqual(shown.line, line)
        self.assertNotIn("M3K", repr(shown))


class Permission(InKodi):
    """The owner's answer."""

    def ask(self, answer: Optional[str], command: str = "logout") -> StandInAgent:
        """Does something that needs a permission; the owner answers while the viewer waits, or the viewer leaves."""
        agent = self.with_agent()
        agent.permission = "undetermined"

        def wait() -> bool:
            is_asked = "POST /v1/permission" in agent.calls
            if is_asked and answer:
                agent.decide(answer)
            return is_asked and answer is None

        xbmcgui.on_wait = wait
        script.main([command])
        return agent

    def test_what_was_asked_for_is_done_once_it_is_granted(self) -> None:
        agent = self.ask("granted")
        self.assertEqual(agent.calls.count("DELETE /v1/requestors/DEMO/sign-in"), 2)
        self.assertEqual(xbmcgui.notes, ["You are signed out."])
        self.assertEqual(len(xbmcgui.dialogs), 2)
        self.assertIn(
            "needs the owner's permission: 'latchkey permission grant user:test' on this device", xbmcgui.dialogs[0])
        self.assertEqual(xbmcgui.dialogs[1], "closed")

    def test_a_refusal_is_said(self) -> None:
        self.ask("denied")
        self.assertEqual(xbmcgui.dialogs[1:], ["closed", "The owner does not allow Kodi to use the sign-in."])

    def test_the_viewer_need_not_wait(self) -> None:
        agent = self.ask(None)
        self.assertEqual(xbmcgui.dialogs[1:], ["closed"])
        self.assertEqual(xbmcgui.notes, [])
        agent.decide("granted")

    def test_kodi_can_end_meanwhile(self) -> None:
        xbmc.on_wait = lambda seconds: True
        agent = self.ask("")
        self.assertEqual(xbmcgui.dialogs[1:], ["closed"])
        agent.decide("granted")

    def test_an_owner_who_does_not_answer_is_not_waited_for_longer(self) -> None:
        patience, permission.PATIENCE = permission.PATIENCE, 0.0
        try:
            self.ask("")
        finally:
            permission.PATIENCE = patience
        self.assertIn("It has been asked for: 'latchkey permission grant user:test'", xbmcgui.dialogs[-1])


class Playing(InKodi):
    """Streams with a token."""

    def test_the_token_goes_into_the_stream_s_address(self) -> None:
        agent = self.with_agent(resource="Demo One", stream="https://cdn.example/{resource}.m3u8|X-Token={token}")
        agent.end("approved")
        script.main(["play"])
        self.assertEqual(xbmc.played, ["https://cdn.example/Demo%20One.m3u8|X-Token=PHNpZ24%2B"])

    def test_a_caller_may_name_channel_and_stream(self) -> None:
        self.with_agent().end("approved")
        script.main(["play", "resource=Demo%2C Two", "stream=https://cdn.example/a%2Fb%2cc?s=%2B&t={token}"])
        self.assertEqual(xbmc.played, ["https://cdn.example/a%2Fb,c?s=%2B&t=PHNpZ24%2B"])

    def test_the_providers_refusal_is_said_in_its_words(self) -> None:
        self.with_agent().end("approved")
        script.main(["play", "resource=Demo Extra", "stream=x"])
        self.assertEqual((xbmc.played, xbmcgui.dialogs), ([], ["Not part of your package."]))

    def test_who_is_not_signed_in_may_do_it_now(self) -> None:
        agent = self.with_agent(resource="Demo One", stream="https://cdn.example/?{token}")

        def look(_: float) -> bool:
            if agent.pairing:
                agent.end("approved")
            return False

        xbmc.on_wait = look
        xbmcgui.answer_yes = False
        script.main(["play"])
        self.assertEqual((xbmc.played, len(xbmcgui.windows), box.published()), ([], 0, False))
        xbmcgui.answer_yes = True
        script.main(["play"])
        self.assertEqual(xbmc.played, ["https://cdn.example/?PHNpZ24%2B"])

    def test_no_token_and_no_code_is_logged(self) -> None:
        agent = self.with_agent(resource="Demo One", stream="https://cdn.example/?{token}")
        agent.end("approved")
        script.main(["play"])
        script.main(["play", "resource=Demo Extra"])
        self.assertEqual(len(xbmc.played), 1)
        for line in xbmc.log_lines:
            self.assertNotIn("PHN", line)
        self.assertTrue(xbmc.log_lines)

    def test_settings_that_are_missing_are_shown(self) -> None:
        incomplete: List[Dict[str, str]] = [{}, {"requestor": "DEMO", "way": "1"}, {"requestor": "DEMO"}]
        for values in incomplete:
            xbmcaddon.values.clear()
            xbmcaddon.values.update(values)
            script.main(["play"])
        self.assertEqual(xbmcaddon.opened, ["settings"] * 3)
        script.main(["nonsense"])
        self.assertEqual(xbmc.log_lines[-1], "script.latchkey: unknown command")


class Menu(InKodi):
    """The add-on's tile."""

    def test_it_offers_what_can_be_done(self) -> None:
        agent = self.with_agent(resource="Demo One", stream="https://cdn.example/?{token}")
        offered: List[List[str]] = []
        xbmcgui.pick = lambda choices: offered.append(choices) or -1  # type: ignore[func-returns-value]
        script.main([])
        self.assertIs(box.published(), False)
        agent.end("approved")
        script.main([])
        self.assertIs(box.published(), True)
        self.assertEqual(offered, [
            ["Sign in", "Play the channel", "Settings"], ["Sign out", "Play the channel", "Settings"]])
        self.assertEqual(xbmcgui.dialogs, ["Nobody is signed in.", "Signed in with Demo TV."])
        xbmcgui.pick = lambda choices: 0
        script.main([])
        self.assertEqual(agent.sign_in["state"], "signed_out")
        self.assertEqual(xbmcgui.notes, ["You are signed out."])
        self.assertEqual(xbmcgui.properties["latchkey.signed_in"], "false")


class Watching(InKodi):
    """The service."""

    def test_it_says_once_that_nobody_is_signed_in_and_why_a_sign_in_ended(self) -> None:
        agent = self.with_agent()
        watch = service.Service()
        watch.look()
        watch.look()
        self.assertEqual(xbmcgui.notes, ["Nobody is signed in."])
        agent.end("approved")
        watch.look()
        self.assertEqual(box.published(), True)
        agent.sign_in = {"requestor": "DEMO", "state": "signed_out", "reason": "ended_by_operator"}
        watch.look()
        self.assertEqual(xbmcgui.notes[1:], ["The sign-in at your TV provider has ended. The operator ended it."])
        self.assertEqual(box.published(), False)

    def test_it_says_that_another_box_or_a_newer_sign_in_ended_it(self) -> None:
        agent = self.with_agent()
        xbmcaddon.language = "de_de"
        watch = service.Service()
        for reason in ("signed_out_elsewhere", "replaced"):
            agent.end("approved")
            watch.look()
            agent.sign_in = {"requestor": "DEMO", "state": "signed_out", "reason": reason}
            watch.look()
        ended = "Die Anmeldung beim TV-Anbieter ist beendet. "
        self.assertEqual(xbmcgui.notes, [
            ended + "Sie wurde von einem anderen Gerät aus beendet.",
            ended + "Eine neuere Anmeldung auf diesem Gerät hat sie ersetzt."])

    def test_new_settings_end_no_sign_in(self) -> None:
        agent = self.with_agent()
        agent.end("approved")
        watch = service.Service()
        watch.look()
        agent.sign_in = {"requestor": "DEMO", "state": "signed_out", "reason": "never"}
        watch.onSettingsChanged()
        watch._pause(60)
        self.assertIsNone(box.published())
        watch.look()
        self.assertEqual((box.published(), xbmcgui.notes), (False, ["Nobody is signed in."]))

    def test_it_does_not_remind_who_does_not_want_it(self) -> None:
        self.with_agent(remind="false")
        service.Service().look()
        self.assertEqual(xbmcgui.notes, [])

    def test_a_network_that_comes_late_is_waited_for_more_and_more_slowly(self) -> None:
        xbmcaddon.values.update(requestor="DEMO", socket="/nonexistent/agent.sock")
        box.publish(True)
        watch = service.Service()
        pauses = [watch.look() for _ in range(8)]
        for pause, base in zip(pauses, (30, 60, 120, 240, 480, 900, 900, 900)):
            self.assertTrue(base <= pause <= 2 * base)
        self.assertEqual((box.published(), xbmcgui.notes), (True, []))

    def test_a_clock_that_comes_late_and_a_page_of_the_network_are_waited_for(self) -> None:
        self.with_agent()
        box.publish(True)
        for error in (latchkey.Untrusted("x"), latchkey.BadAnswer()):
            with mock.patch.object(latchkey.AgentClient, "_status", side_effect=error):
                self.assertLessEqual(service.Service().look(), 60)
        self.assertEqual((box.published(), xbmcgui.notes), (True, []))

    def test_it_wakes_twice_in_a_minute_sees_new_settings_and_ends_with_kodi(self) -> None:
        agent = self.with_agent()
        watch = service.Service()
        waits: List[float] = []

        def wait(seconds: float) -> bool:
            if seconds < 1:
                # An answer is waited for.
                return False
            waits.append(seconds)
            if len(waits) == 2:
                agent.end("approved")
                watch.onSettingsChanged()
            return len(waits) == 4

        xbmc.on_wait = wait
        watch.run()
        self.assertEqual(waits, [30, 30, 30, 30])
        self.assertEqual([call for call in agent.calls if call == "GET /v1/requestors/DEMO"], [
            "GET /v1/requestors/DEMO"] * 2)
        self.assertIsNone(box.published())

    def test_kodi_can_end_while_the_service_waits_for_an_answer(self) -> None:
        self.with_agent()
        cancelled: List[bool] = []

        def ask(cancel: latchkey.Cancellation) -> latchkey.Status:
            cancelled.append(cancel.wait(LIMIT))
            raise latchkey.Cancelled()

        xbmc.on_wait = lambda seconds: True
        with mock.patch.object(latchkey.AgentClient, "_status", side_effect=ask):
            service.Service().run()
        self.assertEqual((cancelled, xbmc.log_lines, box.published()), ([True], [], None))


class WithoutAgent(InKodi):
    """A server instead of the agent."""

    def test_a_box_is_paired_and_plays(self) -> None:
        server = DemoServer()
        self.addCleanup(server.close)
        xbmcaddon.values.update(
            requestor="DEMO", way="1", server=server.url, credentials=server.key_file, insecure="true",
            resource="Demo One", stream="{token}")
        phones: List[Any] = []

        def look(_: float) -> bool:
            code = re.sub(r"\[/?B\]|-", "", xbmcgui.windows[0].controls[202].label)
            if code and not phones:
                phones.append(server.phone(f"{server.url}/activate?code={code}"))
            if phones:
                # A quarter of a second for Kodi; here until the phone is done.
                phones[0].wait()
            return False

        xbmc.on_wait = look
        script.main(["play"])
        self.assertEqual(xbmcgui.dialogs, ["Nobody is signed in on this TV. Sign in now?"])
        token = xbmc.played[0].replace("%2B", "+").replace("%2F", "/").replace("%3D", "=")
        self.assertEqual(server.verify(token, "Demo One"), "VALID_TOKEN")
        # The pair stays when the file goes.
        os.unlink(server.key_file)
        self.assertTrue(box.client().status().is_signed_in)
        self.assertEqual(self.left_files(), ["state.json", "state.json.lock"])


class Files(unittest.TestCase):
    """What the add-on consists of."""

    def test_every_text_is_there_in_every_language(self) -> None:
        english = xbmcaddon.strings("en_gb")
        used = {number for number in vars(texts).values() if isinstance(number, int)}
        used |= set(texts.REASONS.values()) | set(texts._ERRORS.values())
        settings = (ADD_ON / "resources/settings.xml").read_text("utf-8")
        used |= {int(number) for number in re.findall(r"[>\"](\d{5})[<\"]", settings)}
        self.assertEqual(used, english.keys())
        names = {folder.name.rsplit(".", 1)[1] for folder in (ADD_ON / "resources/language").iterdir()}
        self.assertEqual(len(names), 12)
        for name in names - {"en_gb"}:
            own = xbmcaddon.strings(name)
            self.assertEqual(own.keys(), english.keys(), name)
            for number in own:
                self.assertEqual(
                    re.findall(r"{\w+}", english[number]), re.findall(r"{\w+}", own[number]), (name, number))
            # Some languages write one of the words as English does.
            self.assertLessEqual(sum(english[number] == own[number] for number in own), 2, name)

    def test_every_picture_of_the_dialog_is_there(self) -> None:
        skin = ADD_ON / "resources/skins/Default"
        tree = ElementTree.parse(skin / "1080i/script-latchkey-pair.xml")
        for name in ("texture", "texturefocus", "texturenofocus"):
            for element in tree.iter(name):
                self.assertTrue((skin / "media" / (element.text or "")).is_file())


if __name__ == "__main__":
    unittest.main()
