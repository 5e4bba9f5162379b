import Clientless
import Cryptography
import Entitlement
import Synchronization

/// A provider whose accounts may play `<account> TV`; the password is `right`. The household of `kid` has limits.
final class ScriptedProvider: Provider {
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
    }

    private let manner: Manner
    private let questionsAsked = Mutex<[[Resource]]>([])
    private let sessionsEnded = Mutex<[String]>([])

    init(_ manner: Manner) {
        self.manner = manner
    }

    /// What `decide` was asked, call by call.
    var questions: [[Resource]] { self.questionsAsked.withLock { $0 } }
    /// The accounts whose sessions were ended.
    var endedSessions: [String] { self.sessionsEnded.withLock { $0 } }

    func begin(_ login: ProviderLoginContext) async throws(ProviderError) -> ProviderHandover {
        if case .open = self.manner { return .accepted(Self.login(of: "anybody")) }
        return .signInPage
    }

    func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        switch response {
        case .password(let account, let password):
            guard password.withBytes({ $0 == Array("right".utf8) }) else { return .refused(reason: "Not quite.") }
            return .accepted(Self.login(of: account))
        }
    }

    func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> [Decision] {
        self.questionsAsked.withLock { $0.append(resources) }
        switch self.manner {
        case .silent:
            for await _ in AsyncStream<Never>.makeStream().stream {}
            throw ProviderError(detail: "cancelled")
        case .broken: throw ProviderError(detail: "no route")
        case .helpful, .refusing, .browserOnly, .forgetting, .open:
            return resources.map {
                (try? $0.channelTitle()) == "\(session.account) TV"
                    ? .permit : .deny(reason: "\($0.text) is not in your package.")
            }
        }
    }

    func renew(
        _ session: ProviderSession, requestor: RequestorID, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict? {
        switch self.manner {
        case .helpful, .open: .accepted(Self.login(of: session.account))
        case .refusing, .forgetting: .refused(reason: "Sign in again.")
        case .browserOnly: nil
        case .silent, .broken: throw ProviderError(detail: "no route")
        }
    }

    func hasAccount(of session: ProviderSession) async throws(ProviderError) -> Bool {
        switch self.manner {
        case .forgetting: false
        case .silent, .broken: throw ProviderError(detail: "no route")
        case .helpful, .refusing, .browserOnly, .open: true
        }
    }

    /// Has every account by its name in lower case, but for one that begins with `no`.
    func recognise(_ login: ProviderLogin) async throws(ProviderError) -> ProviderVerdict {
        let name = login.session.account.lowercased()
        return name.hasPrefix("no") ? .refused(reason: nil) : .accepted(Self.login(of: name))
    }

    func endSession(_ session: ProviderSession) async throws(ProviderError) -> ProviderLogout {
        self.sessionsEnded.withLock { $0.append(session.account) }
        switch self.manner {
        case .helpful, .refusing, .forgetting, .open: return .done
        case .browserOnly: return .userAgent(url: "https://cable-nova.example/logout")
        case .silent, .broken: throw ProviderError(detail: "no route")
        }
    }

    static func login(of account: String) -> ProviderLogin {
        let limits = [MetadataEntry(name: "MPAA", value: "PG"), MetadataEntry(name: "VCHIP", value: "TV-PG")]
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
