import AccessEnabler
import Clientless
import Cryptography
import TestSupport
import Testing

@Suite("Signing in on the second screen", .timeLimit(.minutes(1)))
struct SecondScreenTests {
    @Test("registers, shows a code, waits in a held request, and ends signed in")
    func wholeWay() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        let enabler = try await box.enabler()
        let log = ProgressLog()
        async let end = enabler.signIn { log.record($0) }
        let code = try #require(await log.shown.next())
        #expect(code.qrPayload == "https://tve.example.net/activate?code=\(code.code)")
        while await service.polled.next() != "/api/v1/authenticate/\(code.code)" {}
        service.confirm()
        let expected = Authentication(mvpdID: "CableNova", expires: Timestamp(milliseconds: 1_999_999_999_000))
        #expect(try await end == .signedIn(expected))
        #expect(
            service.calls == [
                "POST /o/client/register", "POST /o/client/token", "GET /api/v1/tokens/authn",
                "POST /reggie/v1/NORTHSPORT/regcode", "GET /api/v1/authenticate/\(code.code)",
            ])
        #expect(await enabler.displayName(of: expected) == "Cable Nova")
        #expect(box.clock.pauses.isEmpty)
        #expect(log.words == ["code \(code.code)"])
    }

    @Test("says on every call what the protocol asks for")
    func wire() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        service.setCodeState("declined")
        let enabler = try await box.enabler { $0.clientInformation.name = "Living room" }
        #expect(try await enabler.signIn { _ in } == .declined)
        let device = DeviceIdentity.deviceID(machineID: TestBox.machineID, scope: "test").text
        for request in service.requests {
            #expect(request.headers["accept"] == "application/json")
            let information = try #require(DeviceInformation(decoding: request.headers["x-device-info"] ?? ""))
            #expect(information.osName == "Linux")
            #expect(information.foreign == [.init("name", .string("Living room"))])
        }
        let requests = service.requests
        #expect(requests[0].text == #"{"software_statement":"a.b.c"}"#)
        #expect(requests[1].text == "grant_type=client_credentials&client_id=client-1&client_secret=secret-1")
        #expect(requests[2].target == "/api/v1/tokens/authn?requestor=NORTHSPORT&deviceId=\(device)")
        #expect(requests[3].text == "deviceId=\(device)")
        #expect(requests[4].headers["prefer"] == "wait=50")
        #expect(requests[4].target.hasSuffix("?requestor=NORTHSPORT"))
        for request in requests[2...] { #expect(request.headers["authorization"] == "Bearer token-1") }
    }

    @Test("signs every request with a key pair, with the path as it is and a nonce of its own")
    func signatures() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        service.setCodeState("declined")
        #expect(try await box.signingEnabler().signIn { _ in } == .declined)
        let key = HMACKey(Secret(TestBox.privateKey), hash: .sha1)
        var nonces: Set<Substring> = []
        for request in service.requests {
            let header = try SignedRequestHeader(request.headers["authorization"] ?? "")
            #expect(header.isAuthentic(under: key))
            #expect(header.verb == request.method && header.requestURI == request.path)
            #expect(header.time == box.clock.now)
            nonces.insert(header.nonce)
        }
        #expect(service.calls.count == 3 && nonces.count == 3)
    }

    @Test(
        "ends differently when declined, cancelled and expired",
        arguments: [
            ("declined", PairingEnd.declined), ("cancelled", .cancelled), ("expired", .expired),
        ])
    func endings(state: String, expected: PairingEnd) async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        let enabler = try await box.enabler()
        let log = ProgressLog()
        async let end = enabler.signIn { log.record($0) }
        _ = await log.shown.next()
        service.setCodeState(state)
        #expect(try await end == expected)
        #expect(try box.folder.read("state/state.json").contains("\"code\"") == false)
    }

    @Test("tells how far the viewer is, and the words of a provider that refuses")
    func news() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        let enabler = try await box.enabler()
        let log = ProgressLog()
        service.setCodeState("waiting")
        async let end = enabler.signIn { log.record($0) }
        let code = try #require(await log.shown.next()).code
        let path = "/api/v1/authenticate/\(code)"
        while await service.polled.next() != path {}
        for (state, reason) in [
            ("waiting", nil), ("loggingIn", nil), ("waiting", "No%20such%20user%21"), ("confirming", nil),
        ] {
            service.setCodeState(state, reason: reason)
            while await service.polled.next() != path {}
        }
        service.confirm()
        guard case .signedIn = try await end else {
            Issue.record("not signed in")
            return
        }
        #expect(
            log.words == [
                "code \(code)", "state loggingIn", "state waiting", "refused No such user!", "state confirming",
            ])
    }

    @Test("shows a live code of an earlier run again, without asking for a new one")
    func resumes() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        let first = ProgressLog()
        let enabler = try await box.enabler()
        await withTaskGroup { group in
            group.addTask { _ = try? await enabler.signIn { first.record($0) } }
            _ = await first.shown.next()
            group.cancelAll()
        }
        let second = ProgressLog()
        let again = try await box.enabler()
        async let end = again.signIn { second.record($0) }
        let code = try #require(await second.shown.next())
        service.confirm()
        guard case .signedIn = try await end else {
            Issue.record("not signed in")
            return
        }
        #expect(first.words == ["code \(code.code)"] && second.words == ["resumed \(code.code)"])
        #expect(service.calls.count { $0.hasSuffix("/regcode") } == 1)
        #expect(service.calls.count { $0.hasSuffix("/register") } == 1)
    }

    @Test("shows a live code at once even if the server cannot be reached, and outlasts that")
    func resumesOffline() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        let enabler = try await box.enabler()
        let first = ProgressLog()
        await withTaskGroup { group in
            group.addTask { _ = try? await enabler.signIn { first.record($0) } }
            _ = await first.shown.next()
            while await service.polled.next()?.hasPrefix("/api/v1/authenticate/") != true {}
            group.cancelAll()
        }
        service.answer("/api/v1/authenticate/", with: .close, times: 4)
        let log = ProgressLog()
        let again = try await box.enabler()
        async let end = again.signIn { log.record($0) }
        let code = try #require(await log.shown.next())
        // Four that fail, one that is held.
        for _ in 0..<5 { while await service.polled.next()?.hasSuffix(code.code) != true {} }
        service.setCodeState("waiting")
        while await service.polled.next()?.hasSuffix(code.code) != true {}
        service.confirm()
        guard case .signedIn = try await end else {
            Issue.record("not signed in")
            return
        }
        #expect(log.words == ["resumed \(code.code)", "problem unreachable", "restored"])
        #expect(box.clock.pauses.prefix(3) == [.seconds(10), .seconds(20), .seconds(30)])
    }

    @Test("makes no code while somebody is signed in, unless it is told to")
    func alreadySignedIn() async throws {
        let service = try ScriptedService()
        service.signIn()
        let box = try TestBox(service.url)
        let enabler = try await box.enabler()
        guard case .alreadySignedIn = try await enabler.signIn(progress: { _ in }) else {
            Issue.record("made a code")
            return
        }
        #expect(service.calls.contains { $0.hasSuffix("/regcode") } == false)
        service.setCodeState("declined")
        #expect(try await enabler.signIn(again: true) { _ in } == .declined)
    }

    @Test("asks about the device, every five seconds, where the server knows neither holding nor the code's state")
    func plainServer() async throws {
        var behaviour = ScriptedService.Behaviour()
        behaviour.holds = false
        behaviour.tellsState = false
        behaviour.knowsCodeEndpoint = false
        let service = try ScriptedService(behaviour)
        let box = try TestBox(service.url)
        let enabler = try await box.enabler()
        let log = ProgressLog()
        async let end = enabler.signIn { log.record($0) }
        _ = await log.shown.next()
        for _ in 0..<5 { _ = await service.polled.next() }
        service.confirm()
        guard case .signedIn = try await end else {
            Issue.record("not signed in")
            return
        }
        let polls = service.calls.drop { !$0.hasSuffix("/regcode") }.dropFirst()
        #expect(polls.first?.hasPrefix("GET /api/v1/authenticate/") == true)
        #expect(polls.dropFirst().allSatisfy { $0 == "GET /api/v1/tokens/authn" } && polls.count >= 4)
        #expect(box.clock.pauses.allSatisfy { $0 == .seconds(5) } && !box.clock.pauses.isEmpty)
        #expect(service.requests.last?.headers["prefer"] == nil)
    }

    @Test("does not take the sign-in there was before for the new one")
    func notTheOldOne() async throws {
        var behaviour = ScriptedService.Behaviour()
        behaviour.holds = false
        behaviour.tellsState = false
        behaviour.knowsCodeEndpoint = false
        behaviour.codeExpires = 1_800_000_030_000
        let service = try ScriptedService(behaviour)
        service.signIn()
        let box = try TestBox(service.url)
        #expect(try await box.enabler().signIn(again: true) { _ in } == .expired)
    }

    @Test("ends with the code when nobody comes, by the server's clock")
    func expires() async throws {
        var behaviour = ScriptedService.Behaviour()
        behaviour.holds = false
        behaviour.tellsState = false
        behaviour.codeExpires = 1_800_000_060_000
        let service = try ScriptedService(behaviour)
        let box = try TestBox(service.url)
        #expect(try await box.enabler().signIn { _ in } == .expired)
        #expect(box.clock.now == Timestamp(seconds: 1_800_000_060))
    }

    @Test("waits as long as a throttling server asks, and says so to nobody")
    func throttled() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        let enabler = try await box.enabler()
        service.answer("/api/v1/authenticate/", with: .response(429, headers: ["Retry-After": "17"]))
        let log = ProgressLog()
        async let end = enabler.signIn { log.record($0) }
        let code = try #require(await log.shown.next())
        for _ in 0..<2 { while await service.polled.next()?.hasSuffix(code.code) != true {} }
        service.confirm()
        guard case .signedIn = try await end else {
            Issue.record("not signed in")
            return
        }
        #expect(box.clock.pauses.first.map { $0 >= .seconds(17) && $0 <= .seconds(19) } == true)
        #expect(log.words == ["code \(code.code)"])
    }

    @Test("ends a code the server has lost after it told its state")
    func lostCode() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        let enabler = try await box.enabler()
        let log = ProgressLog()
        async let end = enabler.signIn { log.record($0) }
        let code = try #require(await log.shown.next())
        while await service.polled.next()?.hasSuffix(code.code) != true {}
        service.setCodeState("loggingIn")
        while await service.polled.next()?.hasSuffix(code.code) != true {}
        service.setBehaviour { $0.knowsCodeEndpoint = false }
        #expect(try await end == .cancelled)
    }

    @Test("fails when there is no code to be had, with what kept it")
    func noCode() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        // libcurl tries once more where a kept connection was closed on it; the second has to fail too.
        service.answer("/reggie/", with: .close, times: 2)
        let lost = await #expect(throws: EntitlementError.self) { try await box.enabler().signIn { _ in } }
        #expect(lost?.code == .unreachable)
        for (answer, code): (ScriptedServer.Answer, EntitlementError.Code) in [
            (.response(503), .serverFault), (.response(429), .throttled),
            (.response(400, body: #"{"status":400,"message":"Invalid requestor"}"#), .refused),
            (.response(201, body: "{}"), .malformedAnswer),
            (.response(201, body: #"{"code":"!!","expires":1}"#), .malformedAnswer),
            (.response(302, headers: ["Location": "http://elsewhere.invalid/"]), .malformedAnswer),
        ] {
            service.answer("/reggie/", with: answer)
            let error = await #expect(throws: EntitlementError.self) {
                try await box.enabler().signIn { _ in }
            }
            #expect(error?.code == code)
        }
    }

    @Test("reports code and success to every subscriber of the library")
    func events() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        let enabler = try await box.enabler()
        let events = enabler.events
        async let outcome = enabler.authenticate()
        var words: [String] = []
        for await event in events {
            switch event {
            case .status(let status): words.append("\(status.errorID) \(status.dictionary["loginURL"] ?? "")")
            case .registrationCode:
                words.append("code")
                service.confirm()
            case .authenticationStatus(let status, let code): words.append("\(status) \(code)")
            default: words.append("other")
            }
            if words.count == 3 { break }
        }
        #expect(words == ["REGCODE https://tve.example.net/activate", "code", "success "])
        #expect(await outcome == .authenticated(mvpdID: "CableNova"))
        #expect(await enabler.authenticationStatus() == .authenticated(mvpdID: "CableNova"))
    }
}
