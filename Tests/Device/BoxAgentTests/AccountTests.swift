import AccessEnabler
import FoundationEssentials
import HTTPClient
import HTTPServer
import Lending
import Lifecycle
import Observability
import RealPrograms
import Synchronization
import TestSupport
import Testing

@Suite("The account of the box", .serialized, .timeLimit(.minutes(5)))
struct AccountTests {
    private static let kodi = 12_345
    private static let own = "/v1/requestors/NORTHSPORT"
    private static let other = "/v1/requestors/SOUTHSPORT"

    /// Lends an agent whose account is NORTHSPORT's sign-in, and the service it talks to.
    fileprivate static func with(
        _ configure: (inout ScriptedService.Behaviour) -> Void = { _ in }, body: (LentAgent) async throws -> Void
    ) async throws {
        let change: (inout ScriptedService.Behaviour) -> Void = {
            $0.providers = [.platform("CableNova"), ScriptedProvider("SatOne")]
            configure(&$0)
        }
        try await LentAgent.with(more: "agent: { account: 'NORTHSPORT' },", change, body: body)
    }

    @Test("is signed in with one code, signs the other requestor in without, and out again", .account)
    func wholeWay() async throws {
        #expect(try await agent.call(.get, "/v1/account").json["state"]?.text == "signed_out")
        #expect(try await agent.call(.get, Self.other).json["state"]?.text == "signed_out")
        try await agent.signIn(service)
        #expect(try await agent.event("approved", of: "SOUTHSPORT")["mvpd"]?.text == "CableNova")
        #expect(service.calls.count { $0.hasSuffix("/regcode") } == 1)
        let account = try await agent.call(.get, "/v1/account").json
        #expect(account["requestor"]?.text == "NORTHSPORT" && account["state"]?.text == "signed_in")
        #expect(account["provider"]?.text == "platform-CableNova")
        #expect(try await agent.call(.post, "\(Self.other)/authorize", "{\"resource\":\"A\"}").status == 200)

        // One requestor signs out, and stays out; the account stays in.
        #expect(try await agent.call(.delete, "\(Self.other)/sign-in").status == 204)
        #expect(try await agent.call(.post, "\(Self.other)/authorize", "{\"resource\":\"A\"}").status == 409)
        #expect(try await agent.call(.get, "/v1/account").json["state"]?.text == "signed_in")
    }

    @Test(.signedInAccount, arguments: ["signed_out", "refused_by_provider"])
    func `signs out what it signed in, and says why`(reason: String) async throws {
        service.set { $0.logoutURL = "https://idp.example/logout" }
        if reason == "signed_out" {
            let words = ["account", "sign-out", "--socket", agent.socket]
            let run = try await ChildProcess(ProgramFolder.own.box, words).run()
            #expect(run.end == .exited(0) && run.talk.hasSuffix("\n  https://idp.example/logout\n"), "\(run)")
        } else {
            service.revoke(ending: reason)
            #expect(try await agent.call(.post, "\(Self.own)/authorize", "{\"resource\":\"A\"}").status == 409)
        }
        #expect(try await agent.event("signed_out", of: "SOUTHSPORT")["reason"]?.text == reason)
        #expect(try await agent.call(.get, Self.other).json["state"]?.text == "signed_out")
    }

    @Test(arguments: ["profile", "platform", "off", "picker", "degraded", "separate"])
    func `signs no requestor in where the server does not agree`(how: String) async throws {
        try await Self.with { behaviour in
            switch how {
            case "profile": behaviour.allowsProfile = false
            case "platform": behaviour.allowsPlatform = false
            case "off": behaviour.providers[0].enablesPlatform = false
            case "picker": behaviour.providers[0].boarding = "PICKER"
            case "degraded": behaviour.providers[0].metadata = #""degradation":"authz-all""#
            default: behaviour.providers[0].metadata = #""singleSignOn":false"#
            }
        } body: { lent in
            let (agent, service) = (lent.agent, lent.service)
            try await agent.signIn(service)
            _ = try await agent.event("approved", of: "NORTHSPORT")
            #expect(try await agent.call(.post, "\(Self.other)/authorize", "{\"resource\":\"A\"}").status == 409)
            // Its own way in is a code.
            #expect(try await agent.call(.post, "\(Self.other)/pairing", "{}").status == 201)
        }
    }

    @Test("is for applications with a permission, and only the operator of the box signs it out", .signedInAccount)
    func permissions() async throws {
        let request = "{\"request\":\"YQ==\"}"
        func statuses() async throws -> [Int] {
            [
                try await agent.call(as: Self.kodi, "GET", "/v1/account").status,
                try await agent.call(as: Self.kodi, "POST", "/v1/account/profile", request).status,
                try await agent.call(as: Self.kodi, "DELETE", "\(Self.own)/sign-in").status,
            ]
        }
        for (permission, expected) in [
            ("undetermined", [403, 403, 403]), ("denied", [403, 403, 403]), ("granted", [200, 200, 403]),
        ] {
            let change = "{\"permission\":\"\(permission)\"}"
            #expect(try await agent.call(.put, "/v1/permissions/user:\(Self.kodi)", change).status == 204)
            #expect(try await statuses() == expected, "\(permission)")
        }
        #expect(try await agent.call(as: Self.kodi, "DELETE", "\(Self.other)/sign-in").status == 204)
        #expect(try await agent.call(.get, "/v1/account").json["state"]?.text == "signed_in")
        for body in ["{}", "{\"request\":\"%\"}", "{\"request\":\"\(String(repeating: "A", count: 688))\"}"] {
            #expect(try await agent.call(.post, "/v1/account/profile", body).status == 400)
        }
        service.set { $0.allowsProfile = false }
        #expect(try await agent.call(.post, "/v1/account/profile", request).json["error"]?.text == "conflict")
    }

    @Test(.agent) func `is not there without a word in the configuration`() async throws {
        #expect(try await agent.call(.get, "/v1/account").json["error"]?.text == "not_found")
        #expect(try await agent.call(.post, "/v1/account/profile", "{\"request\":\"YQ==\"}").status == 404)
        let library = AccessEnabler.AgentPlatformSSO(socketPath: agent.socket)
        #expect(try await library.account(.init(channelIdentifier: "x"), dialog: nil) == AccessEnabler.AccountInfo())
        let faulty = try RunningAgent(try RunningAgent.folder(service.url, more: "agent: { account: 'NOBODY' },"))
        #expect(await faulty.process.waitForEnd() == .exited(78))
    }

    @Test("of a provider that is switched off for a while, and that ran out, was not signed out", .account)
    func notSignedOut() async throws {
        service.watch("/adobe-services/platform") { [service] _ in
            service.set { $0.tokenExpires = "2045/05/18 03:33:19 GMT +0000" }
        }
        try await agent.signIn(service)
        _ = try await agent.event("approved", of: "SOUTHSPORT")
        func account() async throws -> JSON {
            for requestor in [Self.own, Self.other] { _ = try await agent.call(.get, "\(requestor)/providers") }
            return try await agent.call(.get, "/v1/account").json
        }
        service.set { $0.providers = [.platform("Elsewhere")] }
        #expect(try await account()["state"]?.text == "signed_out")
        let library = AccessEnabler.AgentPlatformSSO(socketPath: agent.socket)
        let query = AccessEnabler.AccountQuery(channelIdentifier: "x")
        await #expect(throws: PlatformSSOFailure.self) { try await library.account(query, dialog: nil) }
        service.set { $0.providers = [.platform("CableNova")] }
        #expect(try await agent.call(.get, "/v1/account").json["state"]?.text == "signed_in")
        service.set { $0.date = "Fri, 18 May 2040 08:00:00 GMT" }
        #expect(try await account()["provider"]?.text == "platform-CableNova")
        let over = try await library.account(query, dialog: nil)
        #expect(over.providerIdentifier == "platform-CableNova" && over.authenticationExpires == .distantPast)
        // While a viewer signs in anew, and when they give it up, too.
        #expect(try await agent.call(.post, "\(Self.own)/pairing", "{}").status == 201)
        #expect(try await agent.call(.get, "/v1/account").json["reason"]?.text == "expired")
        #expect(try await agent.call(.delete, "\(Self.own)/pairing").status == 204)
        // Without an answer of the server, too: its clock is known.
        service.answer("/api/v1/config/NORTHSPORT", with: .response(503), times: 99)
        #expect(try await account()["reason"]?.text == "expired")
        let words = "The account of the box ran out."
        let failure = PlatformSSOFailure.service(message: words, details: words)
        await #expect(throws: failure) { try await library.account(query, dialog: nil) }
        #expect(try await agent.call(.get, Self.other).json["state"]?.text == "signed_in")
        #expect(service.count(of: "/adobe-services/platform") == 1)
    }

    @Test(.account) func `is the platform of an application's library over the socket`() async throws {
        let library = AccessEnabler.AgentPlatformSSO(socketPath: agent.socket)
        #expect(try await library.access(prompt: false) == .granted)
        var query = AccessEnabler.AccountQuery(channelIdentifier: "x")
        #expect(try await library.account(query, dialog: nil).providerIdentifier == nil)
        try await agent.signIn(service)
        try await eventually("an account") {
            try await library.account(query, dialog: nil).providerIdentifier == nil ? nil : ()
        }
        query.verificationToken = Array("anything".utf8)
        let account = try await library.account(query, dialog: nil)
        #expect(account.providerIdentifier == "platform-CableNova" && account.profile == "YQ.YQ")
        #expect((account.authenticationExpires?.timeIntervalSince1970 ?? 0) > 1_900_000_000)
        service.set { $0.allowsProfile = false }
        #expect(try await library.account(query, dialog: nil).profile == nil)
    }

    private final class Screen: TvProviderDialogHost {
        let presented: AsyncStream<TvProviderDialogRequest>
        private let post: AsyncStream<TvProviderDialogRequest>.Continuation
        let dismissed = Mutex<[TvProviderDialogRequest]>([])

        init() { (self.presented, self.post) = AsyncStream.makeStream(of: TvProviderDialogRequest.self) }

        func present(_ request: TvProviderDialogRequest) async { self.post.yield(request) }
        func dismiss(_ request: TvProviderDialogRequest) async { self.dismissed.withLock { $0.append(request) } }

        func next() async throws -> TvProviderDialogRequest {
            for await request in self.presented { return request }
            throw GaveUp(description: "no dialog")
        }
    }

    private static let question = AccessEnabler.AccountQuery(
        channelIdentifier: "x", isInterruptionAllowed: true,
        supportedProviders: ["platform-Elsewhere", "SatOne", "platform-CableNova"],
        featuredProviders: ["platform-CableNova"])

    @Test("is signed in with the application's dialog: a provider, the code, and the account", .account)
    func dialog() async throws {
        let offered = try await agent.call(.get, "/v1/account/providers").json["providers"]?.list ?? []
        #expect(offered.compactMap { $0["provider"]?.text } == ["platform-CableNova", "SatOne"])
        #expect(offered.compactMap { $0["id"]?.text } == ["CableNova", "SatOne"])
        let library = AccessEnabler.AgentPlatformSSO(socketPath: agent.socket)
        let screen = Screen()
        async let account = library.account(Self.question, dialog: screen)
        let dialog = try await screen.next()
        // In the order of the question, without those that the account has not.
        #expect(dialog.providers.map(\.id) == ["SatOne", "CableNova"] && dialog.featured.map(\.id) == ["CableNova"])
        #expect(dialog.page == .providerList)
        dialog.choose("CableNova")
        var codes: [String] = []
        for await page in dialog.pages {
            guard case .signIn(let url, let code) = page else { continue }
            #expect(url.contains(code.filter { $0 != "-" }), "\(url)")
            codes.append(code)
            while await service.asked.next()?.hasSuffix("/session") != true {}
            service.confirm()
        }
        #expect(codes.count == 1 && dialog.page == .finished)
        #expect(try await account.providerIdentifier == "platform-CableNova")
        #expect(screen.dismissed.withLock { $0 } == [dialog])
        // Now there is nothing to choose.
        #expect(try await library.account(Self.question, dialog: screen).providerIdentifier == "platform-CableNova")
    }

    @Test(.account, arguments: ["list", "other", "early", "code", "withdrawn", "back", "regular"])
    func `is not signed in by a viewer who leaves the dialog, and their code is withdrawn`(how: String) async throws {
        let library = AccessEnabler.AgentPlatformSSO(socketPath: agent.socket)
        let screen = Screen()
        var question = Self.question
        if how == "regular" { question.regularProviders = ["SatOne"] }
        let account = Task { [question] in try await library.account(question, dialog: screen) }
        let dialog = try await screen.next()
        switch how {
        case "list": dialog.cancel()
        case "other": dialog.chooseOther()
        case "early":
            let held = service.hold("/reggie/v1/NORTHSPORT/regcode")
            dialog.choose("SatOne")
            await held.reached()
            account.cancel()
            held.open()
        default: dialog.choose("SatOne")
        }
        for await page in dialog.pages {
            guard case .signIn = page else { continue }
            switch how {
            case "code": dialog.cancel()
            case "early", "back": account.cancel()
            // The box's owner, or another application, ends it.
            default: #expect(try await agent.call(.delete, "\(Self.own)/pairing").status == 204)
            }
        }
        let failure = await #expect(throws: PlatformSSOFailure.self) { try await account.value }
        // Nobody hears of the failure of a task that was cancelled.
        let left = how == "other" ? PlatformSSOFailure.otherProviderChosen : .cancelled
        #expect(failure == (how == "regular" ? .unsupportedProvider("SatOne") : left) || account.isCancelled)
        #expect(screen.dismissed.withLock { $0 } == [dialog])
        #expect(try await agent.call(.get, "\(Self.own)/pairing").status == 404)
        #expect(try await agent.call(.get, "/v1/account").json["state"]?.text == "signed_out")
    }

    @Test("is left to the application's own login where it has none of the providers, or is not there", .account)
    func noDialog() async throws {
        var question = Self.question
        question.supportedProviders = ["platform-Elsewhere"]
        let library = AccessEnabler.AgentPlatformSSO(socketPath: agent.socket)
        let screen = Screen()
        await #expect(throws: PlatformSSOFailure.otherProviderChosen) {
            try await library.account(question, dialog: screen)
        }
        question = Self.question
        question.isInterruptionAllowed = false
        #expect(try await library.account(question, dialog: screen) == AccessEnabler.AccountInfo())
        #expect(screen.dismissed.withLock { $0 }.isEmpty)
        try await LentAgent.with(body: { lent in
            let offered = try await lent.agent.call(.get, "/v1/account/providers")
            #expect(offered.status == 404)
            await #expect(throws: PlatformSSOFailure.otherProviderChosen) {
                let library = AccessEnabler.AgentPlatformSSO(socketPath: lent.agent.socket)
                return try await library.account(Self.question, dialog: Screen())
            }
        })
    }

    @Test func `that cannot be asked is a failure, and a permission is what the agent says`() async throws {
        let folder = try TemporaryFolder()
        let library = AccessEnabler.AgentPlatformSSO(socketPath: folder.file("none.sock"))
        await #expect(throws: PlatformSSOFailure.self) { try await library.access(prompt: false) }
        for (word, access) in [
            ("granted", AccessEnabler.PlatformAccess.granted), ("denied", .denied), ("undetermined", .notDetermined),
        ] {
            var router = Router()
            let waits = Mutex<[String?]>([])
            for method in [HTTPMethod.get, .post] {
                router.on(method, path: "/v1/permission", name: "p\(method.text)") { request in
                    waits.withLock { $0.append(request.query["wait"]) }
                    return .now(
                        HTTPResponse(body: Array("{\"application\":\"user:a\",\"permission\":\"\(word)\"}".utf8)))
                }
            }
            router.on(.get, path: "/v1/account", name: "account") { _ in
                .now(HTTPResponse(status: .forbidden, body: Array("{\"error\":\"permission_\(word)\"}".utf8)))
            }
            try await Self.serve(router, at: folder.file("\(word).sock")) { path in
                let library = AccessEnabler.AgentPlatformSSO(socketPath: path)
                let unasked = try await library.access(prompt: false)
                let asked = try await library.access(prompt: true)
                #expect(unasked == access && asked == access)
                // The operator is waited for where the application says so, and only when it prompts.
                for patience in [Duration.seconds(20), .seconds(90), .milliseconds(-1)] {
                    let patient = AccessEnabler.AgentPlatformSSO(socketPath: path, promptPatience: patience)
                    let access = [try await patient.access(prompt: false), try await patient.access(prompt: true)]
                    #expect(Set(access) == [asked])
                }
                #expect(waits.withLock { $0 } == [nil, nil, nil, "20", nil, "55", nil, nil])
                await #expect(throws: PlatformSSOFailure.self) {
                    try await library.account(.init(channelIdentifier: "x"), dialog: nil)
                }
            }
        }
    }

    @Test(
        "is followed by its events, those of other requestors passed over, and looked at after a gap",
        arguments: ["", ",\"kept\":true", ",\"reason\":\"expired\""])
    func changes(more: String) async throws {
        let folder = try TemporaryFolder()
        var router = Router()
        let looks = Atomic<Int>(0)
        router.on(.get, path: "/v1/account", name: "account") { _ in
            let isFirst = looks.add(1, ordering: .relaxed).oldValue == 0
            let state = isFirst ? "\"state\":\"signed_out\"\(more)" : "\"state\":\"signed_in\",\"mvpd\":\"CableNova\""
            return Self.json("{\"requestor\":\"NORTHSPORT\",\(state),\"checked\":false}")
        }
        router.on(.get, path: "/v1/events", name: "events") { request in
            func event(_ name: String, _ requestor: String) -> String {
                "{\"version\":1,\"event\":\"\(name)\",\"time\":1,\"requestor\":\"\(requestor)\"}"
            }
            switch request.query["after"] {
            case nil: return Self.json("{\"events\":[],\"next\":\(looks.load(ordering: .relaxed) == 0 ? 5 : 20)}")
            case "5":
                let expired = event("signed_out", "NORTHSPORT\",\"reason\":\"expired")
                return Self.json("{\"events\":[\(event("approved", "SOUTHSPORT")),\(expired)],\"next\":6}")
            case "6": return Self.json("{\"events\":[\(event("approved", "NORTHSPORT"))],\"next\":7}")
            case "7":
                let both = "\(event("page_opened", "NORTHSPORT")),\(event("signed_out", "NORTHSPORT"))"
                return Self.json("{\"events\":[\(both)],\"next\":8}")
            case "8": return Self.json("{\"events\":[{\"version\":1,\"event\":\"gap\",\"time\":1}],\"next\":9}")
            default: return Self.json("{\"error\":\"permission_denied\"}", .forbidden)
            }
        }
        try await Self.serve(router, at: folder.file("agent.sock")) { path in
            var changes = AccessEnabler.AgentPlatformSSO(socketPath: path).changes.makeAsyncIterator()
            var seen: [PlatformSSOChange?] = []
            // One that ran out was not signed out.
            let first: [PlatformSSOChange?] = more.isEmpty ? [.signedOut] : []
            for _ in 0..<first.count + 4 { seen.append(await changes.next()) }
            #expect(seen == first + [.signedIn, .signedOut, .signedIn, .permissionChanged])
        }
    }

    @Test("is signed in by a command that outlasts a full disk and a gap, and shows the code that came meanwhile")
    func patientCommand() async throws {
        let folder = try TemporaryFolder()
        var router = Router()
        @Sendable func code(_ code: String) -> String {
            "\"code\":\"\(code)\",\"pageUrl\":\"https://x/\",\"expires\":9000,\"secondsLeft\":9,\"opened\":false"
        }
        router.on(.get, path: "/v1/account", name: "account") { _ in
            Self.json("{\"requestor\":\"NORTHSPORT\",\"state\":\"pairing\",\"checked\":false}")
        }
        let place = "/v1/requestors/NORTHSPORT/pairing"
        router.on(.post, path: place, name: "pair") { _ in Self.json("{\(code("M3KTKHJ"))}", .created) }
        let looks = Atomic<Int>(0)
        router.on(.get, path: place, name: "pairing") { _ in
            let isFirst = looks.add(1, ordering: .relaxed).oldValue == 0
            if isFirst { return Self.json("{\"error\":\"not_found\"}", .notFound) }
            return Self.json("{\(code(looks.load(ordering: .relaxed) == 2 ? "M3KTKHJ" : "BCDFGHJ"))}")
        }
        router.on(.get, path: "/v1/status", name: "status") { _ in Self.json("{\"server\":\"https://x\"}") }
        router.on(.get, path: "/v1/events", name: "events") { request in
            func event(_ name: String, _ more: String = "") -> String {
                "{\"version\":1,\"event\":\"\(name)\",\"time\":1,\"requestor\":\"NORTHSPORT\"\(more)}"
            }
            switch request.query["after"] {
            case nil: return Self.json("{\"events\":[],\"next\":5}")
            case "5":
                let full = ",\"code\":\"storage\",\"message\":\"The disk is full.\""
                return Self.json("{\"events\":[\(event("error", full))],\"next\":6}")
            case "6": return Self.json("{\"events\":[{\"version\":1,\"event\":\"gap\",\"time\":1}],\"next\":7}")
            default:
                let more = ",\"mvpd\":\"CableNova\",\"already\":false"
                return Self.json("{\"events\":[\(event("approved", more))],\"next\":8}")
            }
        }
        try await Self.serve(router, at: folder.file("agent.sock")) { path in
            let run = try await ChildProcess(
                ProgramFolder.own.box, ["account", "sign-in", "--socket", path, "--config", folder.file("none.json5")]
            ).run()
            #expect(run.end == .exited(0), "\(run)")
            func shown(_ code: String) -> String { "Open https://x/ and enter the code \(code), within 1 minute." }
            #expect(
                run.talk.split(separator: "\n") == [
                    shown("M3K-TKHJ")[...], "The disk is full.",
                    "The code ran out before anybody entered it. A new one follows.", shown("BCD-FGHJ")[...],
                    "Signed in with CableNova.",
                ], "\(run)")
        }
    }

    private static func json(_ text: String, _ status: HTTPStatus = .ok) -> HTTPReply {
        .now(HTTPResponse(status: status, body: Array(text.utf8)))
    }

    private static func serve(_ router: Router, at path: String, _ body: (String) async throws -> Void) async throws {
        let configuration = HTTPServerConfiguration(addresses: [.unix(path: path)])
        let server = HTTPServer(
            configuration: configuration, router: router, logger: Logger(component: "test"), metrics: Metrics())
        let stop = StopSignal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await StopSignal.$current.withValue(stop) { try await server.run() } }
            _ = try await server.boundAddresses
            defer { stop.give() }
            try await body(path)
        }
    }
}

extension Trait where Self == Lending<LentAgent> {
    fileprivate static var account: Self { Lending(LentAgent.$current) { try await AccountTests.with(body: $0) } }

    /// With both requestors signed in by the account.
    fileprivate static var signedInAccount: Self {
        Lending(LentAgent.$current) { body in
            try await AccountTests.with { lent in
                try await lent.agent.signIn(lent.service)
                _ = try await lent.agent.event("approved", of: "SOUTHSPORT")
                try await body(lent)
            }
        }
    }
}
