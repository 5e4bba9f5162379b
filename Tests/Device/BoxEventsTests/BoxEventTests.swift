import AccessEnabler
import Clientless
import FoundationEssentials
import TestSupport
import Testing

@testable import latchkey

@Suite("An event of the machine contract", .timeLimit(.minutes(5)))
struct BoxEventTests {
    /// Each kind, with everything and with as little as it may have.
    static let samples: [BoxEvent.News] =
        [
            .codeIssued(
                BoxEvent.IssuedCode(
                    code: "M3KTKHJ", displayCode: "M3K-TKHJ", url: "https://tv.example/activate?code=M3KTKHJ",
                    pageURL: "https://tv.example/activate", shortURL: "HTTPS://TV.EXAMPLE/G/M3KTKHJ",
                    qr: "data:image/png;base64,AAAA", expires: 1_800_000_000_000, secondsLeft: 1800, isResumed: true)),
            .codeIssued(BoxEvent.IssuedCode(code: "M3KTKHJ", displayCode: "M3K-TKHJ", expires: 0, secondsLeft: 0)),
            .pageOpened, .signingIn, .pageLeft, .confirming, .declined, .expired, .cancelled, .interrupted, .reachable,
            .gap,
            .providerRefused(message: "Wrong \"password\".\n\u{1B}[2J"), .providerRefused(message: nil),
            .approved(BoxEvent.SignIn(mvpd: "Nova", mvpdName: "Cable Nova", expires: 1), isAlready: false),
            .approved(BoxEvent.SignIn(mvpd: "Nova"), isAlready: true),
            .slowDown(retryAfter: 30), .unreachable(message: "Is this box online?"),
            .status(
                BoxEvent.Standing(
                    state: .signedIn, signIn: BoxEvent.SignIn(mvpd: "Nova", mvpdName: "Cable Nova", expires: 7),
                    isChecked: true,
                    server: "https://tv.example", deviceID: "ab12")),
            .status(BoxEvent.Standing(state: .signedOut, reason: .never)), .status(BoxEvent.Standing(state: .pairing)),
            .providers([BoxEvent.Provider(id: "Nova", name: "Cable Nova")]), .providers([]),
            .authorized(resource: "Sport", expires: 9), .authorized(resource: "Sport", expires: nil),
            .mediaToken(resource: "Sport", token: "PHNp", expires: 9),
            .mediaToken(resource: "Sport", token: "PHNp", expires: nil),
            .preauthorized([
                BoxEvent.Preauthorized(resource: "Sport", isAuthorized: true),
                BoxEvent.Preauthorized(resource: "Film", isAuthorized: false, message: "Not in your package."),
            ]),
            .metadata(
                key: "zip",
                value: .object([
                    .init("a", .array([.integer(1), .double(0.5), .null])), .init("b", .boolean(true)),
                    .init("c", .object([])), .init("d", .string("é")),
                ])),
            .boxes(
                [
                    BoxEvent.ViewerBox(
                        box: "00112233-445566ff", name: "Living room", model: "Set-top", since: 1, seen: 7,
                        expires: 2, isThis: true),
                    BoxEvent.ViewerBox(box: "ff665544-33221100", since: 1, expires: 2),
                ], hasMore: false),
            .boxes([], hasMore: true),
            .boxSignedOut(BoxEvent.ViewerBox(box: "ff665544-33221100", name: "Attic", since: 1, expires: 2)),
            .check(BoxEvent.Check("clock", .fault, "It is 1970.", advice: "Start a time service.")),
            .check(BoxEvent.Check("own-ca", .ok, "None is set.")),
            .configured(file: "/etc/latchkey/latchkey.json5"), .permissionAsked(application: "unit:kodi.service"),
            .permissions([BoxEvent.AppPermission(application: "user:a", permission: .granted)]),
            .permissionChanged(BoxEvent.AppPermission(application: "user:a", permission: .denied)),
            .text("Two\nlines"), .warning(message: "The state file was set aside."),
            .error(
                BoxEvent.Failure(
                    code: "not_authorized", message: "No.", exitCode: 3, resource: "Sport", providerMessage: "No.")),
            .error(BoxEvent.Failure(code: "not_signed_in", message: "No.", exitCode: 2, reason: .endedByOperator)),
            .error(BoxEvent.Failure(code: "state", message: "The disk is full.")),
        ]
        + BoxEvent.Reason.allCases.map { .signedOut($0) }
        + [.signedOut(.signedOut, logoutURL: "https://idp.example/slo?SAMLRequest=abc")]
        + BoxEvent.Check.Outcome.allCases.map { .check(BoxEvent.Check("dns", $0, "So it is.")) }

    @Test func `Begins with version, name, time and requestor, stands on one line and leaves out what is not known`() {
        let event = BoxEvent(
            .codeIssued(BoxEvent.IssuedCode(code: "M3KTKHJ", displayCode: "M3K-TKHJ", expires: 9, secondsLeft: 9)),
            at: Timestamp(milliseconds: 5), requestor: "DEMO")
        #expect(
            event.line == """
                {"version":1,"event":"code_issued","time":5,"requestor":"DEMO","code":"M3KTKHJ",\
                "displayCode":"M3K-TKHJ","expires":9,"secondsLeft":9,"resumed":false}
                """)
        for news in Self.samples {
            let line = BoxEvent(news, at: Timestamp(milliseconds: 5)).line
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "\(line)")
        }
    }

    @Test(arguments: Self.samples) func `Is read back as it was written`(_ news: BoxEvent.News) throws {
        for event in [
            BoxEvent(news, at: Timestamp(milliseconds: 1_700_000_000_123), requestor: "DEMO", number: 12),
            BoxEvent(news, at: Timestamp(milliseconds: 0)),
        ] {
            #expect(try BoxEvent(line: event.line) == event)
        }
    }

    @Test func `Is what the schema says, in every kind`() async throws {
        let lines = Self.samples.flatMap { news in
            [
                BoxEvent(news, at: Timestamp(milliseconds: 1), requestor: "DEMO", number: 12).line,
                BoxEvent(news, at: Timestamp(milliseconds: 1)).line,
            ]
        }
        #expect(try await EventSchema.faults(in: lines.joined(separator: "\n") + "\n") == "")
    }

    @Test func `The schema has the kinds of events with their members, no more and no less`() throws {
        let text = try String(
            contentsOfFile: ProjectFolder.file("deploy/contracts/events.schema.json"), encoding: .utf8)
        let schema = try #require(JSONValue(reading: Array(text.utf8)))
        let kept = try #require(schema["$defs"]).members.map { kind in
            Self.facts(of: kind.value).map { "\(kind.name) \($0)" }
        }
        let told = BoxEvent.News.schemas.map { kind in
            let members = [.required("event", .constant(.string(kind.name)))] + kind.members
            return Self.facts(of: JSONSchema.members(members).json).map { "\(kind.name) \($0)" }
        }
        #expect(Set(kept.joined()) == Set(told.joined()))
    }

    /// The members of an object and of the objects below, with their types and words.
    private static func facts(of schema: JSONValue) -> [String] {
        let required = schema["required"]?.array ?? []
        let inside = (schema["properties"]?.members ?? []).flatMap { member in
            let isRequired = required.contains(.string(member.name))
            return self.facts(of: member.value).map { "\(member.name)\(isRequired ? "" : "?") \($0)" }
        }
        let said = ["type", "const", "enum"].compactMap { schema[$0]?.text }.joined(separator: " ")
        let items = schema["items"].map { self.facts(of: $0).map { "[] \($0)" } } ?? []
        return inside + items + (inside.isEmpty ? [said] : [])
    }

    @Test(arguments: [
        "", "[]\n", "nonsense\n", #"{"version":1,"event":"declined"}"#,
        #"{"version":2,"event":"declined","time":1}"#, #"{"version":1,"event":"unheard","time":1}"#,
        #"{"version":1,"event":"declined","time":1,"extra":1}"#,
        #"{"version":1,"event":"approved","time":1,"already":false}"#,
        #"{"version":1,"event":"signed_out","time":1,"reason":"whim"}"#,
    ])
    func `The schema refuses what is no event`(_ line: String) async throws {
        #expect(try await EventSchema.faults(in: line) != "")
    }

    @Test(arguments: [
        ("nonsense", ""), ("{}", "version"), (#"{"version":2,"event":"declined","time":1}"#, "version"),
        (#"{"version":1,"event":"declined"}"#, "time"), (#"{"version":1,"time":1}"#, "event"),
        (#"{"version":1,"event":"unheard","time":1}"#, "unheard"),
        (#"{"version":1,"event":"signed_out","time":1,"reason":"whim"}"#, "reason"),
        (#"{"version":1,"event":"approved","time":1,"already":false}"#, "mvpd"),
        (#"{"version":1,"event":"providers","time":1,"providers":[{"id":"a"}]}"#, "name"),
    ])
    func `Says which member makes a line no event`(line: String, place: String) {
        #expect(throws: BoxEvent.NotAnEvent(place: place)) { try BoxEvent(line: line) }
    }

    @Test func `Members that are not known are passed over`() throws {
        let event = try BoxEvent(line: #"{"version":1,"event":"declined","time":1,"mood":{"a":[1]}}"#)
        #expect(event == BoxEvent(.declined, at: Timestamp(milliseconds: 1)))
    }
}
