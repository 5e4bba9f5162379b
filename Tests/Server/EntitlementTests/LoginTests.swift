import Clientless
import Cryptography
import Entitlement
import TestSupport
import Testing

@Suite("A login", .fixture, .timeLimit(.minutes(5)))
struct LoginTests {
    @Test func `a box is told at each step where its code is, and is signed in at the end`() async throws {
        let code = try await fixture.code()
        func standing() async throws -> CodeStanding { try await domain.codes.codeStanding(of: code) }
        #expect(try await standing() == .open(.waiting, refusal: nil))
        #expect(domain.codes.codeStandingInMemory(of: code) == .open(.waiting, refusal: nil))
        let start = try await fixture.begun(code)
        #expect(start.handover == .signInPage)
        #expect(try await standing() == .open(.loggingIn, refusal: nil))
        guard
            case .refused(_, reason: "Not quite.") = try await fixture.signIn(
                start.token, account: "ada", password: "wrong")
        else { return #expect(Bool(false), "a wrong password was taken") }
        #expect(try await standing() == .open(.waiting, refusal: "Not quite."))
        guard case .went(let view) = try await fixture.signIn(start.token, account: "ada")
        else { return #expect(Bool(false), "the box was not confirmed by anyone") }
        #expect(view.record.box.name == "Living room")
        #expect(try await standing() == .open(.confirming, refusal: nil))
        _ = try await domain.logins.confirm(start.token)
        guard case .signedIn(let record) = try await standing() else { return #expect(Bool(false)) }
        #expect(record.mvpd == Fixture.provider)
        #expect(record.userID.count == 64 && !record.userID.contains("ada"))
        #expect(try await domain.signIns.deviceStanding(of: fixture.device("box")) == .signedIn(record))
    }

    @Test func `another requestor's code is unknown`() async throws {
        let code = try await fixture.code()
        #expect(try await domain.codes.codeStanding(of: code, requestor: Fixture.sibling) == .unknown)
        await expectError(.codeUnknown) {
            try await domain.codes.lookUp(code, of: [Fixture.sibling], for: .following, by: .viewer, now: Fixture.now)
        }
        await expectError(.codeUnknown) {
            try await domain.logins.begin(
                Fixture.request(
                    code, requestor: Fixture.sibling, origin: .foreignPage(redirectURL: "https://x.example/")))
        }
    }

    @Test func `that a foreign page began asks for the box, unless the requestor skips that`() async throws {
        let page = LoginAttempt.Origin.foreignPage(redirectURL: "https://x.example/")
        for (requestor, isAsked) in [(Fixture.requestor, true), (Fixture.sibling, true), (Fixture.unasked, false)] {
            let code = try await fixture.code(for: "box of \(requestor)", requestor: requestor)
            let start = try await fixture.begun(code, origin: page)
            switch try await fixture.signIn(start.token, account: "ada") {
            case .went(let view): #expect(view.stage(at: Fixture.now) == (isAsked ? .confirm : .done), "\(requestor)")
            case .refused: Issue.record("the password was right")
            }
        }
    }

    @Test func `deny, then Back, then approve does not sign the box in`() async throws {
        let code = try await fixture.code()
        let token = try await fixture.acceptedLogin(code)
        _ = try await domain.logins.decline(token)
        await expectError(.codeDeclined) { try await domain.logins.confirm(token) }
        await expectError(.codeDeclined) { try await fixture.acceptedLogin(code) }
        #expect(try await domain.codes.codeStanding(of: code) == .declined)
        #expect(try await domain.signIns.deviceStanding(of: fixture.device("box")) == .never)
    }

    @Test func `confirming twice is the same as once, and declining afterwards is too late`() async throws {
        let code = try await fixture.code()
        let token = try await fixture.acceptedLogin(code)
        _ = try await domain.logins.confirm(token)
        let first = try await domain.codes.codeStanding(of: code)
        _ = try await domain.logins.confirm(token)
        #expect(try await domain.codes.codeStanding(of: code) == first)
        await expectError(.codeUsed) { try await domain.logins.decline(token) }
    }

    @Test func `of twenty viewers who confirm one code at once, exactly one signs the box in`() async throws {
        let code = try await fixture.code()
        var tokens: [String] = []
        for viewer in 0..<20 { tokens.append(try await fixture.acceptedLogin(code, account: "viewer\(viewer)")) }
        let wins = try await concurrently(20) { [tokens] in (try? await domain.logins.confirm(tokens[$0])) != nil }
        #expect(wins.count { $0 } == 1)
        #expect(try await fixture.store.authentications(of: fixture.device("box").device, limit: 9).count == 1)
    }

    @Test(.fixture(manner: .forgetting)) func `signs no box in for an account that has gone since`() async throws {
        let token = try await fixture.acceptedLogin(try await fixture.code())
        await expectError(.loginUnknown) { try await domain.logins.confirm(token) }
        #expect(try await fixture.store.authentications(of: fixture.device("box").device, limit: 9).isEmpty)
    }

    @Test func `another browser cannot go on with a login`() async throws {
        let token = try await fixture.acceptedLogin(try await fixture.code())
        for body in [domain.logins.confirm, domain.logins.decline, domain.logins.login] {
            await expectError(.loginUnknown) { try await body(token, Browser(Secret("another session")), Fixture.now) }
        }
        await expectError(.loginUnknown) {
            try await fixture.signIn(token, account: "ada", browser: Browser(Secret("another session")))
        }
    }

    @Test func `stays with the box it began for when its code is issued again`() async throws {
        let code = try await fixture.code()
        let token = try await fixture.acceptedLogin(code)
        let atProvider = try await fixture.begun(code).token
        try await domain.codes.deleteCode(code, of: [Fixture.requestor], device: nil, by: .box, now: Fixture.now)
        let later = Fixture.now + .seconds(1)
        let other = try await fixture.code(for: "other", now: later)
        let template = try #require(await fixture.store.code(other))
        _ = try await fixture.store.insert(
            RegistrationRecord(
                id: "again", code: code, request: template.request, life: template.life),
            limitPerDevice: 10, now: later)
        let logins = domain.logins
        for step in [logins.login, logins.decline, logins.confirm] {
            await expectError(.loginUnknown) { try await step(token, Fixture.browser, later) }
        }
        await expectError(.loginUnknown) { try await fixture.signIn(atProvider, account: "ada", now: later) }
        // The other box waits on as if nothing had been tried.
        let reissued = try #require(await fixture.store.code(code))
        #expect(reissued.id == "again" && reissued.life == template.life)
        #expect(try await fixture.store.authentications(of: fixture.device("other").device, limit: 9).isEmpty)
    }

    @Test func `is known for its next page as the store has it, until another process changes its code`() async throws {
        var position = try await domain.upkeep.start(now: Fixture.now)
        let code = try await fixture.code()
        try await domain.upkeep.followChanges(after: &position, now: Fixture.now)
        let token = try await fixture.acceptedLogin(code)
        // The feed tells of changes that were made here.
        try await domain.upkeep.followChanges(after: &position, now: Fixture.now)
        let stored = try #require(await fixture.store.code(code))
        _ = try await fixture.store.deleteCode(code, of: Fixture.requestor)
        let view = try await domain.logins.login(token)
        #expect(view.record == stored)
        _ = try await fixture.store.insert(stored, limitPerDevice: 10, now: Fixture.now)
        #expect(try await fixture.store.login(view.attempt.id, now: Fixture.now)?.attempt == view.attempt)
        // Another box has the code now, at the same version.
        _ = try await fixture.store.deleteCode(code, of: Fixture.requestor)
        var other = RegistrationRecord(id: "again", code: code, request: stored.request, life: stored.life)
        other.version = stored.version
        _ = try await fixture.store.insert(other, limitPerDevice: 10, now: Fixture.now)
        await expectError(.codeUnknown) { try await domain.logins.confirm(token) }
        #expect(try await fixture.store.code(code) == other)
        _ = try await fixture.store.deleteCode(code, of: Fixture.requestor)
        try await domain.upkeep.followChanges(after: &position, now: Fixture.now)
        await expectError(.loginUnknown) { try await domain.logins.login(token) }
    }

    @Test func `a code takes two hundred logins and no more, and those under way can still end`() async throws {
        let code = try await fixture.code()
        let token = try await fixture.acceptedLogin(code)
        let request = Fixture.request(code)
        for _ in 2..<200 {
            _ = try await domain.logins.begin(request)
            fixture.uptime.advance(by: .seconds(5))
        }
        await expectError(.codeUsed) { try await domain.logins.begin(request) }
        _ = try await domain.logins.confirm(token)
        #expect(try await fixture.store.authentications(of: fixture.device("box").device, limit: 9).count == 1)
    }

    @Test func `a login is forgotten after fifteen minutes`() async throws {
        let token = try await fixture.acceptedLogin(try await fixture.code())
        await expectError(.loginUnknown) {
            try await domain.logins.confirm(token, now: Fixture.now + .seconds(900))
        }
    }

    @Test func `a login that comes back within two minutes of the code's end still signs the device in`() async throws {
        let code = try await fixture.code(lifetime: .seconds(60))
        let token = try await fixture.acceptedLogin(code)
        let late = Fixture.now + .seconds(179)
        _ = try await domain.logins.confirm(token, now: late)
        #expect(try await domain.codes.codeStanding(of: code, now: late) == .expired)
        let standing = try await domain.signIns.deviceStanding(of: fixture.device("box"), now: late)
        guard case .signedIn = standing else { return #expect(Bool(false), "\(standing)") }
    }

    @Test(
        .fixture(limits: {
            $0.passwords.account = AttemptLimit(failures: 3, window: .seconds(600), penalty: .seconds(300))
        }))
    func `wrong passwords close the door for the account and network, and not for the owner at home`() async throws {
        let token = try await fixture.begun(try await fixture.code()).token
        for _ in 0..<3 { _ = try await fixture.signIn(token, account: "ada", password: "wrong") }
        await expectError(.tooManyAttempts) { try await fixture.signIn(token, account: "ADA") }
        let home = try await fixture.begun(try await fixture.code(for: "other"), browser: Browser(Secret("at home")))
        guard
            case .went = try await fixture.signIn(
                home.token, account: "ada", browser: Browser(Secret("at home")), by: Guesser(.v4(0xCB00_7101)))
        else { return #expect(Bool(false), "the owner is locked out") }
        fixture.uptime.advance(by: .seconds(300))
        guard case .went = try await fixture.signIn(token, account: "ada")
        else { return #expect(Bool(false), "the door stayed closed") }
    }

    @Test("a hundred wrong passwords at once are checked ten times")
    func passwordsAtOnce() async throws {
        let token = try await fixture.begun(try await fixture.code()).token
        let checked = try await concurrently(100) { _ in
            (try? await fixture.signIn(token, account: "ada", password: "wrong")) != nil
        }
        // One that was refused as others were under way is not checked, so fewer are possible.
        #expect((1...10).contains(checked.count { $0 }))
    }
}
