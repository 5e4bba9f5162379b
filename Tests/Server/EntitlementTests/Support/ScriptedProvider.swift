import Clientless
import Cryptography
import Entitlement
import Synchronization

/// A provider whose accounts may play `<account> TV`; the password is `right`. The household of `kid` has limits.
final class ScriptedProvider: Provider {
    var isRemote: Bool { true }

    enum Manner: Sendable {
        /// Answers, and has a back channel.
        case helpful
        /// Never decides; heeds nothing but cancellation, as a hanging connection would.
        case silent
        /// Cannot be reached when it is asked to decide or to end a session.
        case broken
        /// Vouches for nobody a second time.
        case refusing
        /// Has no back channel, and ends sessions in a browser.
        case browserOnly
        /// Erases an account as soon as it has signed in.
        case forgetting
        /// Needs no login page at all.
        case open
        /// Sends the browser to a page of its own, with an address or with a form, and is answered by it: `code` is the
        /// account that signed in, `error` is `declined`, `no` or `down`.
        case elsewhere(ProviderHandover)
        /// Takes a session once and gives a new one: `<account> <number>`. Permits until ``end``.
        case rotating
    }

    private let manner: Manner
    private let questionsAsked = Mutex<[[Resource]]>([])
    private let sessionsEnded = Mutex<[String]>([])
    private let newest = Mutex<[String: Int]>([:])
    private let endings = Mutex<Timestamp?>(nil)
    /// What it says of viewers with its next decisions; `nil` where it says nothing new.
    let latest = Mutex<[String: MetadataValue]?>(nil)
    /// The channels of an account in the server's store that it looks up; `nil` if it looks up none.
    let lineUp = Mutex<LineUp?>(nil)
    /// Waited for before a session is taken.
    let gate = Mutex<(@Sendable () async -> Void)?>(nil)
    /// The accounts that it keeps in the server's store: their IDs by name.
    let ownAccounts = Mutex<[String: String]>([:])
    private let answersTaken = Mutex<[ProviderCallback]>([])

    init(_ manner: Manner) { self.manner = manner }

    /// What `decide` was asked, call by call.
    var questions: [[Resource]] { self.questionsAsked.withLock { $0 } }
    var endedSessions: [String] { self.sessionsEnded.withLock { $0 } }

    var changesSessions: Bool { if case .rotating = self.manner { true } else { false } }

    /// When sign-ins and permits of a rotating provider end.
    var end: Timestamp? {
        get { self.endings.withLock { $0 } }
        set { self.endings.withLock { $0 = newValue } }
    }

    /// Ends the sessions of an account, or lets this one count again.
    func revoke(_ account: String, until number: Int = -1) { self.newest.withLock { $0[account] = number } }
    /// Whether a rotating provider's sessions count more than once.
    let isLasting = Mutex(false)
    /// Whether a rotating provider decides by what it keeps, and takes no session for it.
    let isOffline = Mutex(false)

    private func decisions(on resources: [Resource], of account: String) -> [Decision] {
        resources.map {
            (try? $0.channelTitle()) == "\(account) TV"
                ? .permitted(until: self.end) : .deny(reason: "\($0.text) is not in your package.")
        }
    }

    /// Takes a session that counts once, and gives the next.
    private func rotated<Value>(
        _ session: ProviderSession, _ answer: (String, ProviderSession) -> Value
    ) throws(ProviderError) -> ProviderAnswer<Value> {
        let parts = session.account.split(separator: " ").map(String.init)
        guard parts.count == 2, let number = Int(parts[1]) else { throw ProviderError(detail: "no session") }
        if self.isLasting.withLock({ $0 }), self.newest.withLock({ $0[parts[0], default: 0] == number }) {
            return ProviderAnswer(answer(parts[0], session), session: session)
        }
        let isNewest = self.newest.withLock { newest in
            guard newest[parts[0], default: 0] == number else { return false }
            newest[parts[0]] = number + 1
            return true
        }
        guard isNewest else { throw ProviderError(.sessionOver, detail: "the token was used") }
        let next = ProviderSession(account: "\(parts[0]) \(number + 1)")
        return ProviderAnswer(answer(parts[0], next), session: next)
    }

    var answers: [ProviderCallback] { self.answersTaken.withLock { $0 } }

    private static func state(of login: ProviderLoginContext) throws(ProviderError) -> ProviderState {
        try ProviderState(Array("verifier of \(login.reference) at \(login.callback)".utf8))
    }

    func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart {
        if case .elsewhere(let handover) = self.manner { return (handover, try Self.state(of: login)) }
        if case .open = self.manner { return (.accepted(Self.login(of: "anybody")), .empty) }
        return (.signInPage, .empty)
    }

    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        switch response {
        case .password(let account, let password):
            guard password.withBytes({ $0 == Array("right".utf8) }) else { return .refused(reason: "Not quite.") }
            if case .rotating = self.manner {
                return .accepted(
                    ProviderLogin(
                        upstreamUserID: "upstream-\(account)", session: ProviderSession(account: "\(account) 0"),
                        sessionName: "sid-\(account)", until: self.end))
            }
            return .accepted(Self.login(of: account))
        case .callback(let answer):
            guard try state == Self.state(of: login)
            else { throw ProviderError(.unproven, detail: "another login's state") }
            self.answersTaken.withLock { $0.append(answer) }
            switch answer["error"] {
            case nil: break
            case "declined": return .refused(ProviderRefusal(.declined, "You turned back."))
            case "no": return .refused(reason: nil)
            default: throw ProviderError(.unreachable, detail: "no route")
            }
            guard let account = answer["code"] else { throw ProviderError(.unproven, detail: "no code") }
            var login = Self.login(of: account)
            login.once = answer["assertion"].map { CheckedNotice.Once($0, until: now + .seconds(600)) }
            return .accepted(login)
        }
    }

    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]> {
        self.questionsAsked.withLock { $0.append(resources) }
        switch self.manner {
        case .silent:
            for await _ in AsyncStream<Never>.makeStream().stream {}
            throw ProviderError(detail: "cancelled")
        case .broken: throw ProviderError(detail: "no route")
        case .helpful, .refusing, .browserOnly, .forgetting, .open, .elsewhere:
            return ProviderAnswer(
                self.decisions(on: resources, of: session.account), metadata: self.latest.withLock { $0 },
                lineUp: self.lineUp.withLock { $0 })
        case .rotating where self.isOffline.withLock({ $0 }):
            return ProviderAnswer(resources.map { _ in .permit })
        case .rotating:
            await self.gate.withLock { $0 }?()
            return try self.rotated(session) { account, _ in self.decisions(on: resources, of: account) }
        }
    }

    func renew(
        _ session: ProviderSession, requestor: RequestorID, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<ProviderVerdict?> {
        switch self.manner {
        case .helpful, .open, .elsewhere: ProviderAnswer(.accepted(Self.login(of: session.account)))
        case .refusing, .forgetting: ProviderAnswer(.refused(reason: "Sign in again."))
        case .browserOnly: ProviderAnswer(nil)
        case .rotating:
            try self.rotated(session) { account, next in
                .accepted(
                    ProviderLogin(
                        upstreamUserID: "upstream-\(account)", session: next, sessionName: "sid-\(account)",
                        until: self.end))
            }
        case .silent, .broken: throw ProviderError(detail: "no route")
        }
    }

    func hasAccount(of session: ProviderSession) async throws(ProviderError) -> Bool {
        switch self.manner {
        case .forgetting: false
        case .silent, .broken: throw ProviderError(detail: "no route")
        case .helpful, .refusing, .browserOnly, .open, .elsewhere, .rotating: true
        }
    }

    /// Has every account by its name in lower case, but for one that begins with `no`.
    func recognise(_ login: ProviderLogin) async throws(ProviderError) -> ProviderVerdict {
        let name = login.session.account.lowercased()
        return name.hasPrefix("no") ? .refused(reason: nil) : .accepted(Self.login(of: name))
    }

    var keepsAccounts: Bool { self.ownAccounts.withLock { !$0.isEmpty } }

    func ownAccount(_ reference: AccountReference) async throws(ProviderError) -> OwnAccount? {
        let accounts = self.ownAccounts.withLock { $0 }
        let name: String? =
            switch reference {
            case .id(let id): accounts.first { $0.value == id }?.key
            case .name(let name): name
            case .session(let session): session.account
            }
        guard let name, let id = accounts[name] else { return nil }
        return OwnAccount(id: id, name: name, login: Self.login(of: name))
    }

    func endSession(_ session: ProviderSession) async throws(ProviderError) {
        self.sessionsEnded.withLock { $0.append(session.account) }
        switch self.manner {
        case .helpful, .refusing, .forgetting, .open, .elsewhere, .rotating, .browserOnly: return
        case .silent, .broken: throw ProviderError(detail: "no route")
        }
    }

    func logoutAddress(of session: ProviderSession) async throws(ProviderError) -> String? {
        if case .browserOnly = self.manner { "https://cable-nova.example/logout" } else { nil }
    }

    /// `forged`, or the name of a session and the ID of the notice.
    func check(_ notice: ProviderNotice, now: Timestamp) async throws(ProviderError) -> CheckedNotice? {
        guard case .rotating = self.manner else { return nil }
        switch notice {
        case .backChannel(token: "forged"): throw ProviderError(.unproven, detail: "the signature does not match")
        case .backChannel(let token):
            let words = token.split(separator: " ").map(String.init)
            return CheckedNotice([.session(words[0])], once: CheckedNotice.Once(words[1], until: now + .seconds(60)))
        case .frontChannel(_, let session): return CheckedNotice([.session(session)])
        case .browser, .envelope: return nil
        }
    }

    static func login(of account: String) -> ProviderLogin {
        let limits = [NamedText("MPAA", "PG"), NamedText("VCHIP", "TV-PG")]
        let metadata: [String: MetadataValue] =
            switch account {
            case "kid": ["maxRating": .map(limits), "householdID": .text("H-kid")]
            case "ada": ["householdID": .text("H-ada"), "zip": .list(["12345"])]
            default: [:]
            }
        return ProviderLogin(
            upstreamUserID: "upstream-\(account)", session: ProviderSession(account: account), metadata: metadata)
    }
}

/// Takes a "response" that is the text `<assertion ID> of <account>`, as a platform's issuer would sign it, with
/// ` for <seconds>` where the session at the issuer has an end.
struct ScriptedAssertions: PlatformAssertions {
    func verify(
        _ response: [UInt8], for boarding: PlatformBoarding, audience: String, recipient: String, now: Timestamp
    ) async throws(ProviderError) -> PlatformAssertion {
        let words = String(decoding: response, as: UTF8.self).split(separator: " ")
        guard words.count == 3 || words.count == 5, words[1] == "of" else {
            throw ProviderError(detail: "no assertion")
        }
        guard audience == Fixture.audience, recipient == Fixture.recipient
        else { throw ProviderError(detail: "made out to another server") }
        return (
            login: ScriptedProvider.login(of: String(words[2])), assertionID: String(words[0]),
            issuer: boarding.issuerMetadata ?? "", expires: now + .seconds(300),
            sessionEnd: words.count == 5 ? Int64(words[4]).map { now + .seconds($0) } : nil
        )
    }
}
