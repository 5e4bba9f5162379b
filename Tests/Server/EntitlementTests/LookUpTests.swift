import Clientless
import Cryptography
import Entitlement
import TestSupport
import Testing

@Suite("Looking codes up", .fixture, .timeLimit(.minutes(5)))
struct LookUpTests {
    private static let stranger = Guesser(.v4(0xCB00_7107))

    private static func wrong(_ number: Int) -> RegistrationCodeText {
        let alphabet = Array("BCDFGHJKLM")
        let digits = String(number + 100_000).compactMap(\.wholeNumberValue).map { alphabet[$0] }
        return RegistrationCodeText("Z" + String(digits))!
    }

    /// What a look by every way that faces have comes to: the error, or `nil`.
    private static let ways:
        [(String, @Sendable (RegistrationCodeText, Guesser) async throws(EntitlementError) -> Void)] = [
            (
                "lookUp",
                { code, guesser throws(EntitlementError) in
                    _ = try await domain.codes.lookUp(
                        code, of: [Fixture.requestor], for: .following, by: guesser, now: Fixture.now)
                }
            ),
            (
                "codeStanding",
                { code, guesser throws(EntitlementError) in
                    _ = try await domain.codes.codeStanding(
                        of: code, requestor: Fixture.requestor, by: guesser, now: Fixture.now)
                }
            ),
            (
                "preauthorize",
                { code, guesser throws(EntitlementError) in
                    _ = try await domain.decisions.preauthorize(
                        [Resource("ada TV")!], code: code, requestor: Fixture.requestor, by: guesser, now: Fixture.now)
                }
            ),
            (
                "begin",
                { code, guesser throws(EntitlementError) in
                    _ = try await domain.logins.begin(
                        LoginRequest(
                            code: code, requestor: nil, mvpd: Fixture.provider, origin: .secondScreen,
                            browser: Browser(Secret("the browser at \(guesser.address)")), callback: Fixture.callback),
                        by: guesser, now: Fixture.now)
                }
            ),
            (
                "decline",
                { code, guesser throws(EntitlementError) in
                    try await domain.logins.decline(code: code, by: guesser, now: Fixture.now)
                }
            ),
            (
                "deleteCode",
                { code, guesser throws(EntitlementError) in
                    try await domain.codes.deleteCode(
                        code, of: [Fixture.requestor], device: nil, by: guesser, now: Fixture.now)
                }
            ),
        ]

    @Test("counts wrong codes whichever way they are asked for, and looks none up then", arguments: ways.indices)
    func everyWay(_ way: Int) async throws {
        let code = try await fixture.code()
        var limits = 0
        for number in 0..<25 {
            do throws(EntitlementError) {
                try await Self.ways[way].1(Self.wrong(number), Self.stranger)
            } catch {
                if error.code == .tooManyAttempts { limits += 1 }
            }
        }
        // A browser session has ten, an address twenty.
        #expect(limits == (Self.ways[way].0 == "begin" ? 15 : 5))
        await expectError(.tooManyAttempts) { try await Self.ways[way].1(code, Self.stranger) }
        // Another household goes on; preauthorization then says that its code has led to no sign-in yet.
        let other = try await fixture.code(for: "other")
        do throws(EntitlementError) {
            try await Self.ways[way].1(other, Guesser(.v4(0xC633_6499)))
        } catch {
            #expect(Self.ways[way].0 == "preauthorize" && error.code == .notAuthenticated)
        }
    }

    @Test("of two hundred wrong codes at once answers twenty")
    func atOnce() async throws {
        let standings = try await concurrently(200) { number in
            try? await domain.codes.codeStanding(
                of: Self.wrong(number), requestor: Fixture.requestor, by: Self.stranger, now: Fixture.now)
        }
        #expect((1...20).contains(standings.count { $0 != nil }))
    }

    @Test("counts one dead code once, however often it is polled")
    func deadCode() async throws {
        let code = try await fixture.code()
        try await domain.logins.decline(code: code, by: .viewer, now: Fixture.now)
        for _ in 0..<100 {
            let standing =
                try domain.codes.codeStandingInMemory(
                    of: code, requestor: Fixture.requestor, by: Self.stranger, now: Fixture.now)
            if standing == nil {
                _ = try await domain.codes.codeStanding(
                    of: code, requestor: Fixture.requestor, by: Self.stranger, now: Fixture.now)
            }
        }
        #expect(domain.codeGuesses.wrong == 1)
    }

    @Test func `tells a used code from an open one only to who wants to complete it`() async throws {
        let code = try await fixture.signedIn()
        func lookUp(_ purpose: CodePurpose) async throws {
            _ = try await domain.codes.lookUp(code, of: nil, for: purpose, by: Self.stranger, now: Fixture.now)
        }
        try await lookUp(.following)
        #expect(domain.codeGuesses.wrong == 0)
        await expectError(.codeUsed) { try await lookUp(.completing) }
        #expect(domain.codeGuesses.wrong == 1)
    }

    @Test func `goes on for a browser that has paired, while its address is closed to others`() async throws {
        let home = Guesser(.v4(0xCB00_7107), session: domain.keys.sessionHash(Fixture.browser))
        let code = try await fixture.code()
        let start = try await domain.logins.begin(Fixture.request(code), by: home, now: Fixture.now)
        _ = try await fixture.signIn(start.token, account: "ada", by: home)
        _ = try await domain.logins.confirm(start.token, browser: Fixture.browser, by: home, now: Fixture.now)
        for number in 0..<30 {
            _ = try? await domain.codes.lookUp(
                Self.wrong(number), of: nil, for: .completing, by: Self.stranger, now: Fixture.now)
        }
        let next = try await fixture.code(for: "other")
        await expectError(.tooManyAttempts) {
            try await domain.codes.lookUp(next, of: nil, for: .completing, by: Self.stranger, now: Fixture.now)
        }
        _ = try await domain.codes.lookUp(next, of: nil, for: .completing, by: home, now: Fixture.now)
    }

    @Test func `tells the program of each closing once, by network and not by address`() async throws {
        let told = Told()
        let other = try Fixture.domain(on: fixture.store) { told.note($0) }
        for number in 0..<25 {
            _ = try? await other.codes.lookUp(
                Self.wrong(number), of: nil, for: .completing, by: Self.stranger, now: Fixture.now)
        }
        let closings = told.notices
        guard case .codeGuessesClosed(let closing)? = closings.first, closings.count == 1
        else { return #expect(Bool(false), "\(closings)") }
        #expect(closing.scope == .address && closing.network.description == "203.0.113.0/24")
    }

    @Test func `of a strict requestor lets only the device that asked for a code erase it`() async throws {
        for (requestor, isErased) in [(Fixture.requestor, true), (Fixture.sibling, false)] {
            let code = try await fixture.code(requestor: requestor)
            func isThere() async throws -> Bool { try await fixture.store.code(code) != nil }
            func erase(_ device: DeviceHash?) async throws {
                try await domain.codes.deleteCode(
                    code, of: [Fixture.requestor, Fixture.sibling], device: device, by: Self.stranger,
                    now: Fixture.now)
            }
            try await erase(fixture.device("other").device)
            #expect(try await isThere())
            try await erase(nil)
            #expect(try await isThere() == !isErased)
            try await erase(fixture.device("box").device)
            #expect(try await !isThere())
        }
        // That of the code which was erased before: those of either requestor are no guesses.
        #expect(domain.codeGuesses.wrong == 1)
    }

    @Test(
        "codes asked for with a public credential live for an hour at most, and an address has so many",
        .fixture(limits: {
            $0.issuance?.address = IssuanceLimiter.Rate(burst: 3, perHour: 3600)
            $0.codesPerDevice = 100
        }))
    func issuing() async throws {
        let request = CodeRequest(
            requestor: Fixture.requestor, deviceID: DeviceID("box")!, context: fixture.device("box"), mvpd: nil,
            registrationURL: nil, deviceType: nil, appVersion: nil,
            box: BoxDescription(
                name: String(repeating: "é", count: 400), model: nil, software: nil, userAgent: nil,
                deviceInformation: nil, address: "192.0.2.10"),
            application: nil)
        func create(_ credential: String?) async throws -> RegistrationRecord {
            try await domain.codes.createCode(
                request, for: .seconds(36_000), by: .box, credential: credential, now: Fixture.now)
        }
        let record = try await create("public")
        #expect(record.life.expires == Fixture.now + .seconds(3600))
        #expect(record.box.name?.utf8.count == 512)
        #expect(try await create(nil).life.expires == Fixture.now + .seconds(36_000))
        _ = try await create(nil)
        await expectError(.tooManyAttempts) { try await create(nil) }
        fixture.uptime.advance(by: .seconds(1))
        _ = try await create(nil)
    }

    @Test(
        "codes and logins with long texts take the places of several",
        .fixture(limits: { $0.issuance?.address = IssuanceLimiter.Rate(burst: 4, perHour: 3600) }))
    func sizes() async throws {
        let request = CodeRequest(
            requestor: Fixture.requestor, deviceID: DeviceID("box")!, context: fixture.device("box"), mvpd: nil,
            registrationURL: String(repeating: "a", count: 2000), deviceType: nil,
            appVersion: nil,
            box: BoxDescription(
                name: nil, model: nil, software: nil, userAgent: nil,
                deviceInformation: String(repeating: "a", count: 1500), address: "192.0.2.10"),
            application: nil)
        func create() async throws {
            _ = try await domain.codes.createCode(
                request, for: .seconds(1800), by: .box, credential: nil, now: Fixture.now)
        }
        try await create()
        await expectError(.tooManyAttempts) { try await create() }
        let code = try await fixture.code()
        // A caller needs only a code for any number of logins, and chooses the address of each.
        let page = LoginAttempt.Origin.foreignPage(redirectURL: String(repeating: "a", count: 4096))
        _ = try await fixture.begun(code, origin: page)
        await expectError(.tooManyAttempts) { try await fixture.begun(code, origin: page) }
        _ = try await fixture.begun(code)
        await expectError(.tooManyAttempts) { try await fixture.begun(code) }
        fixture.uptime.advance(by: .seconds(1))
        _ = try await fixture.begun(code)
    }

    @Test func `goes on for the box that names its own device, from an address that is closed`() async throws {
        let code = try await fixture.code()
        let codes = domain.codes
        for number in 0..<25 {
            _ = try? await codes.lookUp(
                Self.wrong(number), of: nil, for: .completing, by: Self.stranger, now: Fixture.now)
        }
        func inMemory(_ device: String) throws -> CodeStanding? {
            try codes.codeStandingInMemory(
                of: code, requestor: Fixture.requestor, device: fixture.device(device).device, by: Self.stranger,
                now: Fixture.now)
        }
        func stored(_ device: String) async throws -> CodeStanding {
            try await codes.codeStanding(
                of: code, requestor: Fixture.requestor, device: fixture.device(device).device, by: Self.stranger,
                now: Fixture.now)
        }
        #expect(try inMemory("box") == .open(.waiting, refusal: nil))
        #expect(try await stored("box") == .open(.waiting, refusal: nil))
        // A login that begins takes the code out of memory.
        _ = try await fixture.begun(code)
        #expect(try inMemory("box") == nil)
        await expectError(.tooManyAttempts) { try await stored("other") }
        #expect(try await stored("box") == .open(.loggingIn, refusal: nil))
        await expectError(.tooManyAttempts) { try inMemory("other") }
    }
}
