"""The client without an agent, against a server whose every answer is prepared."""

import base64
import json
import re
import tempfile
import time
import unittest
from typing import Any, List, Optional
from dataclasses import replace
from unittest import mock

from support import PAIR, Reply, ScriptedTransport, Unhurried, latchkey, qr, reply
from latchkey.signing import ServerClock
from latchkey.transport import Answer

SIGNED_OUT = reply(404, {"status": 404, "message": "Not Found"})
SIGNED_IN = reply(200, {"mvpd": "Nova", "expires": "1800000000000"})
DOWN = latchkey.Unreachable("The server cannot be reached.")


def code(text: str = "M3KTKHJ", seconds: float = 1800, **members: Any) -> Answer:
    """The record of a new code."""
    return reply(201, {"code": text, "expires": int((time.time() + seconds) * 1000), **members})


def waiting(state: str = "waiting", **headers: str) -> Answer:
    """"Not yet", from a server that holds questions."""
    return reply(
        404, {}, Latchkey_Code_State=state, Preference_Applied="wait=50", **headers)


class Clients(unittest.TestCase):
    """Each test has a state file and a script."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = folder.name + "/state.json"
        self.clock = ServerClock()
        self.cancel = Unhurried()
        # Pauses of calls that are not given a cancellation.
        patched = mock.patch("latchkey.wire.Cancellation", Unhurried)
        patched.start()
        self.addCleanup(patched.stop)

    def client(self, *replies: Reply, **options: Any) -> latchkey.DirectClient:
        self.server = ScriptedTransport(*replies)
        return latchkey.DirectClient(
            "https://tv.example/prefix", "DEMO", latchkey.StateFile(self.path), PAIR, transport=self.server,
            clock=self.clock, **options)

    def pair(self, *replies: Reply, mvpd: Optional[str] = None, **options: Any) -> List[latchkey.Event]:
        return list(self.client(*replies, **options).pair(mvpd, self.cancel))


class Calls(Clients):
    """What is sent, and what is made of the answers."""

    def test_a_call_is_signed_for_its_path_and_says_who_asks(self) -> None:
        self.client(SIGNED_OUT).status()
        sent = self.server.sent[0]
        self.assertEqual((sent.method, sent.path), ("GET", "/api/v1/tokens/authn"))
        self.assertEqual(sent.parameters["requestor"], "DEMO")
        self.assertEqual(len(sent.parameters["deviceId"]), 64)
        authorization = sent.headers["Authorization"]
        self.assertRegex(
            authorization, r"^GET requestor_id=DEMO, nonce=[0-9a-f]{32}, signature_method=HMAC-SHA1, "
            r"request_time=[0-9]{13}, request_uri=/api/v1/tokens/authn, public_key=\S+, signature=\S{28}$")
        self.assertNotIn(PAIR.private_key, authorization)
        information = json.loads(base64.b64decode(sent.headers["X-Device-Info"]))
        self.assertEqual(information["primaryHardwareType"], "SetTopBox")

    def test_nonces_differ(self) -> None:
        client = self.client(SIGNED_OUT, SIGNED_OUT)
        client.status(), client.status()
        self.assertNotEqual(self.server.sent[0].headers["Authorization"], self.server.sent[1].headers["Authorization"])

    def test_the_key_pair_is_kept(self) -> None:
        self.client()
        again = latchkey.DirectClient("https://tv.example", "DEMO", latchkey.StateFile(self.path))
        self.assertNotIn(PAIR.private_key, repr(again))
        with self.assertRaisesRegex(latchkey.StateError, "no key pair"):
            latchkey.DirectClient("https://tv.example", "DEMO", latchkey.StateFile(self.path + "2"))

    def test_a_wrong_clock_is_set_right_and_the_call_repeated_once(self) -> None:
        client = self.client(reply(401, Date="Thu, 01 Jan 2037 00:00:00 GMT"), SIGNED_OUT)
        client.status()
        self.assertIn("request_time=21143", self.server.sent[1].headers["Authorization"])

    def test_credentials_that_are_refused_with_the_right_clock_are_refused(self) -> None:
        with self.assertRaises(latchkey.CredentialsRefused):
            self.client(reply(401, Date="Thu, 01 Jan 2037 00:00:00 GMT"), reply(401)).status()
        with self.assertRaises(latchkey.CredentialsRefused):
            self.client(reply(401)).status()
        with self.assertRaises(latchkey.CredentialsRefused):
            self.client(reply(403, {"status": 403, "message": "Forbidden"})).status()

    def test_a_call_that_does_not_get_through_is_repeated_twice(self) -> None:
        client = self.client(DOWN, DOWN, SIGNED_OUT)
        self.assertFalse(client.status().is_signed_in)
        with self.assertRaises(latchkey.Unreachable):
            self.client(DOWN, DOWN, DOWN, SIGNED_OUT).status()

    def test_a_short_throttle_is_waited_for_and_a_long_one_told(self) -> None:
        self.client(reply(429, Retry_After="2"), SIGNED_OUT).status()
        with self.assertRaises(latchkey.Throttled) as caught:
            self.client(reply(429, Retry_After="60"), SIGNED_OUT).status()
        self.assertEqual(caught.exception.retry_after, 60)

    def test_a_sign_in_that_ran_out_says_so(self) -> None:
        self.assertEqual(self.client(reply(410, {})).status().reason, "expired")

    def test_nothing_of_an_answer_is_believed_unseen(self) -> None:
        documents: List[Any] = [
            None, [], 1, {}, {"mvpd": 1, "expires": "1"}, {"mvpd": "N", "expires": "soon"},
            {"mvpd": "N", "expires": True}, {"mvpd": "N", "expires": -1}, {"mvpd": "N", "expires": 1e300}]
        for document in documents:
            with self.subTest(document=document), self.assertRaises(latchkey.BadAnswer):
                self.client(reply(200, document)).status()
        deep = Answer(200, {}, b"[" * 100_000)
        with self.assertRaises(latchkey.BadAnswer):
            self.client(deep).status()

    def test_a_media_token_needs_a_decision_once(self) -> None:
        decision = reply(200, {"expires": "4102444800000"})
        token = reply(200, {"serializedToken": "PHM+", "expires": "1800000000000"})
        client = self.client(decision, token, token)
        shown = client.media_token("One")
        self.assertEqual((shown.token, shown.expires), ("PHM+", 1_800_000_000_000))
        self.assertNotIn("PHM+", repr(shown))
        client.media_token("One")
        self.assertEqual(
            [sent.path for sent in self.server.sent],
            ["/api/v1/authorize", "/api/v1/tokens/media", "/api/v1/tokens/media"])

    def test_a_decision_that_ended_early_is_asked_for_again(self) -> None:
        decision = reply(200, {"expires": "4102444800000"})
        token = reply(200, {"serializedToken": "PHM+", "expires": "1800000000000"})
        client = self.client(decision, token, reply(403, {"message": "User not authorized"}), decision, token)
        client.media_token("One")
        self.assertEqual(client.media_token("One").token, "PHM+")
        self.assertEqual(self.server.replies, [])

    def test_a_refusal_brings_the_providers_sentence(self) -> None:
        refusal = {"status": 403, "message": "User not authorized", "details": "Not part of your package."}
        with self.assertRaisesRegex(latchkey.NotAuthorized, "^Not part of your package.$"):
            self.client(reply(403, refusal)).authorize("One")
        with self.assertRaisesRegex(latchkey.NotAuthorized, "does not include “One”"):
            self.client(reply(403, {**refusal, "details": None})).authorize("One")

    def test_nobody_signed_in_is_told_apart_from_a_refusal(self) -> None:
        for answer in (
            reply(403, {"status": 403, "message": "User not authenticated"}),
            reply(403, {"message": "x", "action": "authentication", "code": "authentication_session_missing"}),
            reply(412, {"message": "User not authenticated"}),
        ):
            with self.assertRaises(latchkey.NotSignedIn):
                self.client(answer).authorize("One")

    def test_locks_are_asked_for_five_at_a_time_in_the_callers_order(self) -> None:
        def decisions(*names: str) -> Answer:
            return reply(200, {"resources": [{"id": name, "authorized": name != "c"} for name in names]})

        client = self.client(decisions("a", "b", "c", "d", "e"), decisions("f"))
        found = client.preauthorize(["a", "b", "c", "a", "d", "e", "f"])
        self.assertEqual([decision.resource for decision in found], ["a", "b", "c", "a", "d", "e", "f"])
        self.assertEqual([decision.authorized for decision in found], [True, True, False, True, True, True, True])
        self.assertEqual(self.server.sent[0].parameters["resource"], "a,b,c,d,e")

        # A requestor with a lower limit; a server names the refusal by its code only where errors are enhanced.
        for refusal in ({"message": "Too many resources"}, {"message": "x", "code": "too_many_resources"}):
            client = self.client(reply(403, refusal), decisions("a"), decisions("b"), decisions("c"))
            found = client.preauthorize(["a", "b", "c"])
            self.assertEqual([decision.authorized for decision in found], [True, True, False])
            self.assertEqual([sent.parameters["resource"] for sent in self.server.sent], ["a,b,c", "a", "b", "c"])
        with self.assertRaises(latchkey.BadRequest):
            self.client(reply(403, {"message": "Too many resources"})).preauthorize(["a"])

    def test_what_cannot_be_asked_is_not_sent(self) -> None:
        client = self.client()
        lists: List[List[str]] = [[], [""], ["a,b"], ["x"] * 201, ["x" * 8193]]
        for resources in lists:
            with self.assertRaises(latchkey.BadRequest):
                client.preauthorize(resources)
        for resource in ("", "  ", "x" * 8193):
            with self.assertRaises(latchkey.BadRequest):
                client.media_token(resource)
        self.assertEqual(self.server.sent, [])

    def test_settings_are_checked(self) -> None:
        with self.assertRaises(latchkey.BadRequest):
            self.client(code_lifetime=0)
        with self.assertRaises(latchkey.BadRequest):
            latchkey.DirectClient("https://tv.example", "NO/WAY", latchkey.StateFile(self.path), PAIR)
        with self.assertRaisesRegex(latchkey.BadRequest, "must be an https address"):
            latchkey.DirectClient("http://tv.example", "DEMO", latchkey.StateFile(self.path), PAIR)


class Pairing(Clients):
    """From a code to its end."""

    def test_the_server_s_page_is_shown_with_the_code(self) -> None:
        for named, own, url in (
            ("https://page.example/a", None, "https://page.example/a?code=M3KTKHJ"),
            ("https://page.example/a?b=c#d", None, "https://page.example/a?b=c&code=M3KTKHJ#d"),
            (None, "https://own.example/", "https://own.example/?code=M3KTKHJ"),
            (None, None, "https://tv.example/prefix/activate?code=M3KTKHJ"),
        ):
            events = self.pair(SIGNED_OUT, code(info={"registrationURL": named}), SIGNED_IN, activation_url=own)
            issued, approved = events
            assert isinstance(issued, latchkey.CodeIssued)
            self.assertEqual((issued.code.url, issued.code.display_code), (url, "M3K-TKHJ"))
            self.assertEqual(issued.code.page, re.sub(r"[?&]code=M3KTKHJ", "", url))
            self.assertGreater(issued.code.seconds_left, 1700)
            assert issued.code.qr
            self.assertEqual(approved, latchkey.Approved("Nova", 1_800_000_000_000))
            self.assertTrue(approved.is_last)
            self.assertNotIn("M3K", f"{issued!r} {issued.code}")

    def test_the_server_s_short_address_makes_the_picture_smaller(self) -> None:
        for short, is_taken in (
            ("HTTPS://TV.EXAMPLE/G/M3KTKHJ", True), ("HTTPS://TV.EXAMPLE/G/OTHER", False), ("", False),
            ("javascript:M3KTKHJ", False), ("HTTPS://TV.EXAMPLE/" + "G" * 250 + "M3KTKHJ", False),
        ):
            answer = code(info={"registrationURL": "https://tv.example/activate"})
            issued = self.pair(SIGNED_OUT, replace(answer, headers={"latchkey-short-url": short}), SIGNED_IN)[0]
            assert isinstance(issued, latchkey.CodeIssued)
            self.assertEqual(issued.code.short_url, short if is_taken else None)
            self.assertEqual(issued.code.qr, qr.png(short if is_taken else issued.code.url))

    def test_a_page_that_is_none_is_not_shown(self) -> None:
        for page in ("javascript:alert(1)", "https://x/\x1b[2J", "https://x/" + "y" * 3000):
            with self.assertRaises(latchkey.BadAnswer):
                self.pair(SIGNED_OUT, code(info={"registrationURL": page}))

    def test_lifetime_provider_and_page_are_asked_for(self) -> None:
        self.pair(SIGNED_OUT, code(), SIGNED_IN, mvpd="Nova", code_lifetime=60, activation_url="https://own.example/")
        sent = self.server.sent[1]
        self.assertEqual((sent.method, sent.path), ("POST", "/reggie/v1/DEMO/regcode"))
        self.assertEqual(
            {name: sent.parameters[name] for name in ("ttl", "mvpd", "registrationURL")},
            {"ttl": "60", "mvpd": "Nova", "registrationURL": "https://own.example/"})

    def test_who_is_signed_in_is_not_paired(self) -> None:
        with self.assertRaises(latchkey.AlreadySignedIn):
            self.pair(SIGNED_IN, reply(200, {}))

    def test_questions_are_held_and_progress_is_told_once(self) -> None:
        events = self.pair(
            SIGNED_OUT, code(), waiting(), waiting("loggingIn"),
            waiting("loggingIn", Latchkey_Provider_Reason="Not%20you."),
            waiting("loggingIn", Latchkey_Provider_Reason="Not%20you."), waiting(), waiting("confirming"),
            SIGNED_IN)
        self.assertEqual(
            events[1:],
            [latchkey.PageOpened(), latchkey.ProviderRefused("Not you."), latchkey.PageLeft(), latchkey.Confirming(),
             latchkey.Approved("Nova", 1_800_000_000_000)])
        self.assertEqual({sent.path for sent in self.server.sent[2:]}, {"/api/v1/authenticate/M3KTKHJ"})
        self.assertEqual({sent.headers["Prefer"] for sent in self.server.sent[2:]}, {"wait=50"})
        self.assertEqual({sent.timeout for sent in self.server.sent[2:]}, {60})

    def test_the_ends_are_told_apart(self) -> None:
        for state, event in (
            ("declined", latchkey.Declined()), ("cancelled", latchkey.CodeWithdrawn()),
            ("completed", latchkey.CodeExpired()),
        ):
            self.assertEqual(self.pair(SIGNED_OUT, code(), waiting(), waiting(state))[-1], event)

    def test_only_a_code_that_nobody_opened_is_renewed(self) -> None:
        events = self.pair(
            SIGNED_OUT, code(), waiting(), waiting("expired"), code("BCDFGHJ"), waiting("loggingIn"),
            waiting("expired"))
        shown = [event.code.code for event in events if isinstance(event, latchkey.CodeIssued)]
        self.assertEqual(shown, ["M3KTKHJ", "BCDFGHJ"])
        self.assertEqual(events[-2:], [latchkey.PageOpened(), latchkey.CodeExpired()])
        self.assertEqual(
            self.pair(SIGNED_OUT, code(), waiting(), waiting("expired"), renews=False)[-1], latchkey.CodeExpired())

    def test_a_code_that_was_opened_is_not_renewed(self) -> None:
        events = self.pair(SIGNED_OUT, code(), waiting(), waiting(Latchkey_Code_Opened="true"), waiting("loggingIn"),
                           waiting(Latchkey_Code_Opened="true"), waiting(), waiting("expired"))
        self.assertEqual(events[1:], [latchkey.PageOpened(), latchkey.PageLeft(), latchkey.CodeExpired()])

    def test_a_server_whose_codes_are_over_at_once_is_asked_more_and_more_slowly(self) -> None:
        replies = [SIGNED_OUT]
        for _ in range(8):
            replies += [code(), waiting("expired")]
        events = self.client(*replies, code()).pair(cancel=self.cancel)
        for _ in range(9):
            self.assertIsInstance(next(events), latchkey.CodeIssued)
        self.assertEqual([pause for pause in self.cancel.pauses if pause], [1, 2, 4, 8, 16, 32, 60, 60])

    def test_a_code_that_the_server_forgot_is_over(self) -> None:
        events = self.pair(SIGNED_OUT, code(), waiting("loggingIn"), reply(404, {}))
        self.assertEqual(events[-1], latchkey.CodeExpired())

    def test_at_its_end_a_code_is_asked_for_once_more(self) -> None:
        events = self.pair(SIGNED_OUT, code(seconds=-5), SIGNED_IN)
        self.assertEqual(events[-1], latchkey.Approved("Nova", 1_800_000_000_000))
        self.assertNotIn("Prefer", self.server.sent[2].headers)
        self.assertEqual(self.pair(SIGNED_OUT, code(seconds=-5), DOWN)[-1], latchkey.CodeExpired())

    def test_servers_that_know_no_other_question_are_asked_for_the_device(self) -> None:
        events = self.pair(SIGNED_OUT, code(), SIGNED_OUT, SIGNED_OUT, SIGNED_OUT, SIGNED_IN)
        self.assertEqual(events[-1], latchkey.Approved("Nova", 1_800_000_000_000))
        self.assertEqual(self.server.sent[-1].path, "/api/v1/tokens/authn")
        # They do not hold: one interval, give or take a tenth.
        self.assertEqual(len(self.cancel.pauses), 2)
        self.assertTrue(4.5 <= self.cancel.pauses[1] <= 5.5)

    def test_a_server_that_is_away_at_the_start_is_waited_for(self) -> None:
        events = self.pair(DOWN, DOWN, DOWN, DOWN, DOWN, DOWN, SIGNED_OUT, reply(503), code(), SIGNED_IN)
        self.assertEqual(
            [type(event) for event in events],
            [latchkey.Unanswered, latchkey.Reachable, latchkey.Unanswered, latchkey.Reachable, latchkey.CodeIssued,
             latchkey.Approved])

    def test_three_failures_in_a_row_are_worth_telling_and_the_return_too(self) -> None:
        events = self.pair(SIGNED_OUT, code(), waiting(), DOWN, reply(502), DOWN, DOWN, waiting(), SIGNED_IN)
        self.assertEqual(
            [type(event) for event in events[1:]], [latchkey.Unanswered, latchkey.Reachable, latchkey.Approved])

    def test_a_throttling_server_gets_the_pause_it_asks_for(self) -> None:
        events = self.pair(SIGNED_OUT, reply(429, Retry_After="7"), code(), reply(429, Retry_After="90"), SIGNED_IN)
        self.assertEqual(
            [type(event) for event in events],
            [latchkey.SlowDown, latchkey.CodeIssued, latchkey.SlowDown, latchkey.Approved])
        self.assertTrue(7 <= self.cancel.pauses[0] <= 8)
        self.assertTrue(90 <= self.cancel.pauses[2] <= 99)

    def test_credentials_that_are_revoked_meanwhile_end_it(self) -> None:
        with self.assertRaises(latchkey.CredentialsRefused):
            self.pair(SIGNED_OUT, code(), waiting(), reply(401))

    def test_cancelling_withdraws_the_code(self) -> None:
        client = self.client(SIGNED_OUT, code(), waiting(), reply(204))
        events = client.pair(cancel=self.cancel)
        next(events)
        self.server.on_send = lambda: self.cancel.cancel() if len(self.server.sent) == 4 else None
        self.assertEqual(list(events), [latchkey.CodeWithdrawn()])
        self.assertEqual((self.server.sent[-1].method, self.server.sent[-1].path), (
            "DELETE", "/reggie/v1/DEMO/regcode/M3KTKHJ"))

    def test_cancelling_before_there_is_a_code_asks_nothing_more(self) -> None:
        self.cancel.cancel()
        self.assertEqual(self.pair(), [latchkey.CodeWithdrawn()])
        self.assertEqual(len(self.server.sent), 1)
