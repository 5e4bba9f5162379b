"""The client of the agent, over a real Unix socket.

Against a stand-in that speaks the agent's API; with LATCHKEY_AGENT_SOCKET against a real agent, whose requestor DEMO is
one of a demo server: LATCHKEY_AGENT_PASSWORD is its account's password, LATCHKEY_PROGRAMS has the phone.
"""

import os
import subprocess
import threading
import unittest
from typing import Any, List, Optional, Tuple, Type

from support import LIMIT, PROGRAMS, ScriptedTransport, StandInAgent, Unhurried, latchkey, qr, reply

REAL = os.environ.get("LATCHKEY_AGENT_SOCKET")


class EndsAfter(Unhurried):
    """Is cancelled in its last pause."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def wait(self, seconds: float) -> bool:
        super().wait(seconds)
        return len(self.pauses) == self.count


class AnyAgent(unittest.TestCase):
    """What holds for the stand-in and for a real agent."""

    def setUp(self) -> None:
        self.agent: Optional[StandInAgent] = None
        path = REAL
        if path is None:
            self.agent = StandInAgent()
            self.addCleanup(self.agent.close)
            path = self.agent.path
        self.client = latchkey.AgentClient("DEMO", path)
        if REAL:
            self.client.logout()

    def decide(self, code: latchkey.Code, decision: str) -> None:
        """The viewer takes up the phone."""
        if self.agent:
            self.agent.tell("page_opened")
            self.agent.end("approved" if decision == "confirm" else "declined")
        else:
            words = [PROGRAMS + "/phone", code.url, "demo", os.environ["LATCHKEY_AGENT_PASSWORD"]]
            subprocess.run(words + (["decline"] if decision == "decline" else []), check=True, timeout=60)

    def pair(self, decision: str = "confirm") -> List[latchkey.Event]:
        found = []
        for event in self.client.pair():
            found.append(event)
            if isinstance(event, latchkey.CodeIssued):
                self.decide(event.code, decision)
        return found

    def test_a_box_is_paired_plays_and_signs_out(self) -> None:
        self.assertFalse(self.client.status().is_signed_in)
        self.assertIn(latchkey.Provider("DemoTV", "Demo TV"), self.client.providers())
        events = self.pair()
        issued = events[0]
        assert isinstance(issued, latchkey.CodeIssued)
        assert issued.code.qr
        self.assertTrue(issued.code.qr.startswith(b"\x89PNG"))
        self.assertEqual(issued.code.display_code.replace("-", ""), issued.code.code)
        self.assertGreater(issued.code.seconds_left, 0)
        # A phone that is quick is seen only when it asks whether this is the box.
        self.assertTrue(latchkey.PageOpened() in events or latchkey.Confirming() in events)
        end = events[-1]
        assert isinstance(end, latchkey.Approved)
        self.assertEqual(end.mvpd, "DemoTV")
        status = self.client.status()
        self.assertEqual((status.state, status.mvpd_name), (latchkey.SignInState.SIGNED_IN, "Demo TV"))
        with self.assertRaises(latchkey.AlreadySignedIn):
            next(self.client.pair())

        self.client.authorize("Demo One")
        self.assertTrue(self.client.media_token("Demo One").token)
        with self.assertRaisesRegex(latchkey.NotAuthorized, "ot part of your package.$"):
            self.client.media_token("Demo Extra")
        names = ["Demo Extra", "Demo One", "a", "b", "c", "Demo Extra", "Demo One", "Demo Two"]
        decisions = self.client.preauthorize(names)
        self.assertEqual([decision.resource for decision in decisions], names)
        self.assertEqual([decision.authorized for decision in decisions[-3:]], [False, True, True])
        if self.agent:
            self.agent.limit = 1
        self.assertEqual(self.client.preauthorize(names), decisions)
        self.assertEqual(self.client.metadata("zip"), ["12345"])
        self.assertIsNone(self.client.metadata("unknown"))

        boxes = self.client.boxes()
        self.assertEqual((boxes.boxes[0].is_this, boxes.has_more), (True, False))

        self.client.logout()
        self.client.logout()
        self.assertEqual(self.client.status().reason, "signed_out")
        with self.assertRaises(latchkey.NotSignedIn):
            self.client.media_token("Demo One")
        with self.assertRaises(latchkey.NotSignedIn):
            self.client.preauthorize(["Demo One"])

    def test_a_declined_box_is_not_signed_in(self) -> None:
        self.assertEqual(self.pair("decline")[-1], latchkey.Declined())
        self.assertFalse(self.client.status().is_signed_in)

    def test_two_applications_pair_with_one_code(self) -> None:
        first, second = self.client.pair(), self.client.pair()
        one, other = next(first), next(second)
        assert isinstance(one, latchkey.CodeIssued) and isinstance(other, latchkey.CodeIssued)
        self.assertEqual(one.code, other.code)
        self.decide(one.code, "confirm")
        self.assertIsInstance(list(first)[-1], latchkey.Approved)
        self.assertIsInstance(list(second)[-1], latchkey.Approved)

    def test_cancelling_ends_the_pairing_for_all(self) -> None:
        cancel = latchkey.Cancellation()
        first, second = self.client.pair(), self.client.pair(cancel=cancel)
        next(first), next(second)
        cancel.cancel()
        self.assertEqual(list(second), [latchkey.CodeWithdrawn()])
        self.assertEqual(list(first)[-1], latchkey.CodeWithdrawn())
        self.assertIs(self.client.status().state, latchkey.SignInState.SIGNED_OUT)

    def test_an_unknown_requestor_is_said_to_be_so(self) -> None:
        stranger = latchkey.AgentClient("NOBODY", REAL or (self.agent.path if self.agent else ""))
        with self.assertRaises(latchkey.BadRequest) as caught:
            stranger.status()
        self.assertEqual(caught.exception.code, "unknown_requestor")


@unittest.skipIf(REAL, "a real agent does not do these on demand")
class StandIn(unittest.TestCase):
    """What only the stand-in does on demand."""

    def setUp(self) -> None:
        self.agent = StandInAgent()
        self.addCleanup(self.agent.close)
        self.cancel = Unhurried()
        self.client = latchkey.AgentClient("DEMO", self.agent.path)

    def test_a_renewed_code_replaces_the_old_one(self) -> None:
        events = self.client.pair()
        next(events)
        self.agent.issue()
        renewed = next(events)
        assert isinstance(renewed, latchkey.CodeIssued)
        self.assertEqual(renewed.code.display_code, "BCD-FGHJ")
        self.assertEqual(renewed.code.short_url, "HTTPS://TV.EXAMPLE/G/BCDFGHJ")
        self.agent.end("expired")
        self.assertEqual(list(events), [latchkey.CodeExpired()])

    def test_the_server_s_troubles_are_told(self) -> None:
        events = self.client.pair()
        next(events)
        self.agent.tell("slow_down", retryAfter=7)
        self.agent.tell("unreachable", message="The server is away.")
        self.agent.tell("reachable")
        self.agent.tell("page_left")
        self.agent.tell("confirming")
        self.agent.tell("provider_refused", message="Not you.")
        self.agent.tell("error", code="conflict", message="Of another call.")
        self.agent.tell("of a later version")
        self.agent.tell("declined", requestor="OTHER")
        self.agent.end("approved")
        self.assertEqual(
            list(events),
            [latchkey.SlowDown(7), latchkey.Unanswered("The server is away."), latchkey.Reachable(),
             latchkey.PageLeft(), latchkey.Confirming(), latchkey.ProviderRefused("Not you."),
             latchkey.Approved("DemoTV", 1_800_000_000_000)])

    def test_each_step_of_the_viewer_is_told_once(self) -> None:
        events = self.client.pair()
        next(events)
        # The page, and then the sign-in on it: servers tell both, or only the second.
        for step in ("page_opened", "signing_in", "confirming", "confirming", "page_left", "signing_in"):
            self.agent.tell(step)
        found = [next(events) for _ in range(4)]
        self.agent.issue()
        self.agent.tell("signing_in")
        found += [next(events), next(events)]
        self.assertEqual(
            [type(event) for event in found],
            [latchkey.PageOpened, latchkey.Confirming, latchkey.PageLeft, latchkey.PageOpened, latchkey.CodeIssued,
             latchkey.PageOpened])

    def test_what_was_missed_is_told_and_nothing_twice(self) -> None:
        events = self.client.pair(cancel=self.cancel)
        next(events)
        assert self.agent.pairing
        self.agent.pairing["opened"] = True
        self.agent.forget()
        self.assertEqual(next(events), latchkey.PageOpened())
        for step in ("confirming", "page_left"):
            self.agent.tell(step)
        self.assertEqual([next(events), next(events)], [latchkey.Confirming(), latchkey.PageLeft()])
        self.agent.next_answer = (503, {"error": "unreachable", "message": "Not now."}, {})
        self.assertEqual([next(events), next(events)], [latchkey.Unanswered("Not now."), latchkey.Reachable()])
        self.agent.tell("confirming")
        self.assertEqual(next(events), latchkey.Confirming())

    def test_the_end_of_a_code_is_corrected(self) -> None:
        events = self.client.pair()
        issued = next(events)
        assert self.agent.pairing and isinstance(issued, latchkey.CodeIssued)
        self.agent.tell("confirming")
        next(events)
        self.agent.tell("code_issued", code=issued.code.code, resumed=True)
        self.agent.pairing["secondsLeft"] = 60
        self.agent.tell("code_issued", code=issued.code.code, resumed=True)
        again = next(events)
        assert isinstance(again, latchkey.CodeIssued)
        self.assertEqual((again, again.code.seconds_left <= 60), (issued, True))

    def test_an_error_that_ends_the_pairing_is_raised(self) -> None:
        events = self.client.pair()
        next(events)
        self.agent.pairing = None
        self.agent.sign_in = {"requestor": "DEMO", "state": "signed_out"}
        self.agent.tell("error", code="credentials_refused", message="The server refuses this box's credentials.")
        with self.assertRaisesRegex(latchkey.LatchkeyError, "refuses this box's credentials") as caught:
            list(events)
        self.assertEqual(caught.exception.code, "credentials_refused")

    def test_a_gap_in_the_events_is_made_good(self) -> None:
        # The reason is of the last sign-in, and says nothing of the code.
        for end, left, reason, event in (
            ("declined", 1800, "expired", latchkey.CodeWithdrawn()), ("expired", 19, "never", latchkey.CodeExpired()),
            ("approved", 1800, "never", latchkey.Approved("DemoTV", 1_800_000_000_000)),
        ):
            self.agent.issue()
            assert self.agent.pairing
            self.agent.pairing["secondsLeft"] = left
            events = self.client.pair()
            next(events)
            self.agent.end(end)
            self.agent.sign_in["reason"] = reason
            self.agent.forget()
            self.assertEqual(list(events), [event])

    def test_no_event_is_lost_when_the_agent_does_not_answer(self) -> None:
        away = latchkey.Unreachable("Not now.")
        told = [{"event": event, "requestor": "DEMO", "code": "BCDFGHJ"} for event in ("code_issued", "declined")]
        events = reply(200, {"events": told, "next": 9})
        transport = ScriptedTransport(
            reply(200, {"events": [], "next": 7}), reply(201, {"code": "M3KTKHJ", "expires": 1, "secondsLeft": 60}),
            away, events, away, events, reply(404, {"error": "not_found"}))
        client = latchkey.AgentClient("DEMO", transport=transport)
        self.assertEqual(
            list(client.pair(cancel=self.cancel))[1:],
            [latchkey.Unanswered("Not now."), latchkey.Reachable(), latchkey.Declined()])
        asked = [sent.parameters for sent in transport.sent if "after" in sent.parameters]
        self.assertEqual(asked, [{"after": "7", "wait": wait} for wait in ("50", "0", "0")])

    def test_a_code_that_was_renewed_in_a_gap_is_shown(self) -> None:
        events = self.client.pair()
        next(events)
        self.agent.issue()
        self.agent.forget()
        renewed = next(events)
        assert isinstance(renewed, latchkey.CodeIssued)
        self.assertEqual(renewed.code.code, "BCDFGHJ")

    def test_an_agent_that_restarts_is_waited_for(self) -> None:
        path = self.agent.path
        os.rename(path, path + ".away")
        events = self.client.pair(cancel=self.cancel)
        self.assertIsInstance(next(events), latchkey.Unanswered)
        os.rename(path + ".away", path)
        self.assertEqual(next(events), latchkey.Reachable())
        self.assertIsInstance(next(events), latchkey.CodeIssued)
        self.agent.next_answer = (503, {"error": "unreachable", "message": "Not now."}, {"Retry-After": "9"})
        self.assertEqual(next(events), latchkey.Unanswered("Not now."))
        self.agent.end("approved")
        self.assertEqual(list(events)[0], latchkey.Reachable())
        self.assertIn(9, self.cancel.pauses)

    def test_the_viewer_s_boxes_are_listed_and_signed_out(self) -> None:
        with self.assertRaises(latchkey.NotSignedIn):
            self.client.boxes()
        self.agent.end("approved")
        this, other = self.client.boxes().boxes
        self.assertEqual(this, latchkey.ViewerBox("00112233445566aa", 1, 2, True, "Living room", "HC-100", 7))
        self.assertEqual((other.name, other.seen, other.is_this), (None, None, False))
        self.client.sign_out_box(other.box)
        self.assertEqual(self.client.boxes(), latchkey.ViewerBoxes([this], False))
        for box, code in ((other.box, "not_found"), (this.box, "conflict")):
            with self.assertRaises(latchkey.BadRequest) as caught:
                self.client.sign_out_box(box)
            self.assertEqual(caught.exception.code, code)
        self.agent.next_answer = (200, {"boxes": [{"box": "a"}]}, {})
        with self.assertRaises(latchkey.BadAnswer):
            self.client.boxes()

    def test_permission_is_asked_for(self) -> None:
        self.assertEqual((self.client.application(), self.client.permission()), ("user:test", "granted"))
        self.agent.permission = "undetermined"
        for call in (self.client.status, lambda: next(self.client.pair())):
            with self.assertRaises(latchkey.PermissionUndetermined):
                call()
        self.assertEqual(self.client.ask_permission(), "undetermined")
        self.assertEqual(self.agent.events[-1]["event"], "permission_asked")
        self.agent.permission = "denied"
        with self.assertRaises(latchkey.PermissionDenied):
            self.client.media_token("Demo One")

    def test_a_decision_is_waited_for(self) -> None:
        self.agent.permission = "undetermined"
        answers: List[str] = []
        waiting = threading.Thread(target=lambda: answers.append(self.client.ask_permission(wait=LIMIT)))
        waiting.start()
        with self.agent.changed:
            self.assertTrue(self.agent.changed.wait_for(lambda: self.agent.events, LIMIT))
        self.agent.decide("granted")
        waiting.join(LIMIT)
        self.assertEqual(answers, ["granted"])
        # Seconds are whole, and not more than the agent holds a question.
        self.assertEqual(self.agent.waits, [LIMIT])

    def test_a_decision_that_does_not_come_is_not_waited_for_longer(self) -> None:
        self.agent.permission, self.agent.holds = "undetermined", False
        self.assertEqual(self.client.ask_permission(), "undetermined")
        self.assertEqual(self.agent.waits, [0.0])
        # An agent that stops answers before the time, and the next one is asked again.
        cancel = EndsAfter(3)
        with self.assertRaises(latchkey.Cancelled):
            self.client.ask_permission(wait=1000, cancel=cancel)
        self.assertEqual((self.agent.waits[1:], cancel.pauses), ([50.0] * 3, [1.0] * 3))

    def test_a_wait_for_a_decision_can_be_cancelled(self) -> None:
        self.agent.permission = "undetermined"
        cancel = latchkey.Cancellation()
        failures: List[latchkey.LatchkeyError] = []

        def ask() -> None:
            try:
                self.client.ask_permission(wait=LIMIT, cancel=cancel)
            except latchkey.LatchkeyError as error:
                failures.append(error)

        waiting = threading.Thread(target=ask)
        waiting.start()
        with self.agent.changed:
            self.assertTrue(self.agent.changed.wait_for(lambda: self.agent.events, LIMIT))
        cancel.cancel()
        waiting.join(LIMIT)
        self.assertEqual([type(error) for error in failures], [latchkey.Cancelled])
        self.agent.decide("denied")

    def test_the_account_of_the_box_is_told_and_signed_in(self) -> None:
        other = latchkey.AgentClient("OTHER", self.agent.path)
        self.assertEqual(other.account().state, latchkey.SignInState.SIGNED_OUT)
        provider = latchkey.AccountProvider("DemoTV", "Demo TV", "platform-demo")
        self.assertEqual(other.account_providers(), [provider])
        events = other.pair_account(provider.id)
        self.assertIsInstance(next(events), latchkey.CodeIssued)
        self.agent.end("approved")
        self.assertIsInstance(list(events)[-1], latchkey.Approved)
        account = other.account()
        self.assertEqual(
            (account.requestor, account.state, account.mvpd_name),
            ("DEMO", latchkey.SignInState.SIGNED_IN, "Demo TV"))
        self.agent.has_account = False
        for call in (other.account, lambda: next(other.pair_account())):
            with self.assertRaises(latchkey.BadRequest) as caught:
                call()
            self.assertEqual(caught.exception.code, "not_found")

    def test_what_the_agent_may_leave_out_may_be_left_out(self) -> None:
        self.agent.next_answer = (200, {"requestor": "DEMO", "state": "signed_in", "checked": False}, {})
        status = self.client.status()
        self.assertEqual((status.is_signed_in, status.is_checked, status.expires), (True, False, None))
        self.agent.next_answer = (200, {"resource": "Demo One", "token": "PHM+"}, {})
        self.assertIsNone(self.client.media_token("Demo One").expires)
        self.agent.pairing = {"code": "M3KTKHJ", "url": "https://x/?code=M3KTKHJ", "expires": 1, "secondsLeft": 60}
        issued = next(self.client.pair())
        assert isinstance(issued, latchkey.CodeIssued)
        self.assertEqual((issued.code.page, issued.code.display_code), ("https://x/", "M3K-TKHJ"))

    def test_a_code_without_a_page_is_shown_all_the_same(self) -> None:
        self.agent.pairing = {"code": "M3KTKHJ", "expires": 1, "secondsLeft": 60}
        issued = next(self.client.pair())
        assert isinstance(issued, latchkey.CodeIssued)
        self.assertEqual((issued.code.display_code, issued.code.page, issued.code.qr), ("M3K-TKHJ", "", None))

    def test_the_countdown_does_not_go_by_the_clock_of_the_box(self) -> None:
        # By this box's clock the code ran out in 1970; by that of an agent that was as wrong, it lives for decades.
        for said, left in ((600, 600), (1_700_000_000, 36_000)):
            self.agent.pairing = {"code": "M3KTKHJ", "url": "https://x/", "expires": 1, "secondsLeft": said}
            issued = next(self.client.pair())
            assert isinstance(issued, latchkey.CodeIssued)
            self.assertAlmostEqual(issued.code.seconds_left, left, delta=300)

    def test_failures_of_the_agent_are_its_own(self) -> None:
        for status, document, kind in (
            (500, {"error": "internal", "message": "x"}, latchkey.StateError), (500, {}, latchkey.ServerFault), (418, {}, latchkey.BadRequest),
            (200, [], latchkey.BadAnswer), (200, {"state": "asleep"}, latchkey.BadAnswer),
            (302, {}, latchkey.BadAnswer), (429, {}, latchkey.Throttled),
        ):
            self.agent.next_answer = (status, document, {})
            with self.subTest(status=status), self.assertRaises(kind):
                self.client.status()

    def test_the_kinds_of_no_service_are_told_apart(self) -> None:
        kinds: List[Tuple[Any, Type[latchkey.LatchkeyError], str, str]] = [
            ({"error": "unreachable", "message": "Not now."}, latchkey.Unreachable, "unreachable", "Not now."),
            ({"error": "credentials_refused", "message": "No key."}, latchkey.CredentialsRefused, "credentials_refused",
             "No key."),
            ({"error": "storage", "message": "The disk is full."}, latchkey.StateError, "storage", "The disk is full."),
            (None, latchkey.Throttled, "busy", "Too many programs ask the box's agent at once."),
        ]
        for document, kind, code, sentence in kinds:
            self.agent.next_answer = (503, document, {"Retry-After": "9"})
            with self.subTest(code=code), self.assertRaisesRegex(kind, sentence) as caught:
                self.client.status()
            self.assertEqual(caught.exception.code, code)
            self.assertEqual(getattr(caught.exception, "retry_after", None), 9 if code in ("unreachable", "busy") else None)

    def test_a_pairing_that_cannot_be_kept_is_not_tried_again(self) -> None:
        self.agent.next_answer = (503, {"error": "storage", "message": "The disk is full."}, {})
        with self.assertRaises(latchkey.StateError):
            next(self.client.pair(cancel=self.cancel))
        self.assertEqual(self.cancel.pauses, [])

    def test_without_a_picture_of_the_agent_the_client_draws_one(self) -> None:
        for picture in (None, 7, "", "data:image/svg+xml,<svg/>", "data:image/png;base64,%%%"):
            self.agent.issue()
            assert self.agent.pairing
            self.agent.pairing["qr"] = picture
            issued = next(self.client.pair())
            assert isinstance(issued, latchkey.CodeIssued)
            self.assertEqual(issued.code.qr, qr.png("HTTPS://TV.EXAMPLE/G/" + issued.code.code))
