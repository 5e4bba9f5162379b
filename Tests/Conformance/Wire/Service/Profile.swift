import FoundationEssentials
import RealPrograms

/// What the suite must know of the service it is pointed at: names, credentials, and a viewer to sign in as.
///
/// `LATCHKEY_CONFORMANCE_URL` names the service and `LATCHKEY_CONFORMANCE_PROFILE` a JSON file of this form; members
/// that may be absent switch off the tests that need them. Without both variables the suite starts a service itself.
struct Profile: Sendable, Decodable {
    struct Keys: Sendable, Decodable {
        let publicKey: String
        let privateKey: String
    }

    /// Who signs in on the provider's page, in its first text field and its password field.
    struct Account: Sendable, Decodable {
        let account: String
        let password: String
    }

    /// A requestor of the same key pair whose sign-ins at ``Profile/mvpd`` are soon over.
    struct Brief: Sendable, Decodable {
        let requestor: String
        /// Seconds a sign-in lasts.
        let lifetime: Int
    }

    /// An application that the suite may have revoked.
    struct Revocable: Sendable, Decodable {
        let softwareStatement: String
        /// The program, and its arguments, that revoke it.
        let command: [String]
    }

    /// The same service with its throttle on, or another one like it; same requestor and key pair.
    struct Throttled: Sendable, Decodable {
        let url: String
        /// Calls above the sustained rate that pass at once.
        let burst: Int
        /// Seconds in which one further call is earned.
        let interval: Double
    }

    /// In `compatible` mode: deployed clients reuse a header and sign other paths.
    let requestor: String
    var keyPair: Keys
    /// Of an application of ``requestor``.
    let softwareStatement: String
    /// One of the requestor's registered domains.
    let domain: String
    /// Where the viewer's browser is sent in the end; nothing need be there.
    let redirectURL: String
    let mvpd: String
    let account: Account
    let otherMVPD: String
    let otherAccount: Account
    /// A channel that both viewers may play.
    let resource: String
    /// A channel that the other viewer alone may play.
    let otherResource: String
    let brief: Brief?
    let expiredAccessToken: String?
    let revocable: Revocable?
    let throttled: Throttled?
    /// A key pair of the requestor for a programmer's servers, whose `X-Forwarded-For` is believed.
    let serverKeyPair: Keys?
    /// A free preview of the requestor.
    let temporaryPass: String?
}

extension Profile {
    /// A service that somebody else runs.
    struct Given: Sendable {
        let url: String
        let profile: Profile
    }

    /// What the environment points at; `nil` when it names nothing.
    static let given: Result<Given, any Error>? = {
        let environment = ProcessInfo.processInfo.environment
        guard let url = environment["LATCHKEY_CONFORMANCE_URL"], !url.isEmpty else { return nil }
        return Result {
            guard let path = environment["LATCHKEY_CONFORMANCE_PROFILE"] else {
                throw GaveUp(description: "LATCHKEY_CONFORMANCE_PROFILE names no profile for \(url)")
            }
            let profile = try JSONDecoder().decode(Profile.self, from: Data(contentsOf: URL(filePath: path)))
            return Given(url: url.hasSuffix("/") ? String(url.dropLast()) : url, profile: profile)
        }
    }()

    /// Whether the service under test has what a test needs. The suite's own service has everything.
    static func offers<Value>(_ member: (Profile) -> Value?) -> Bool {
        guard let given = self.given else { return true }
        // A profile that cannot be read must not look like one that offers nothing.
        return (try? given.get()).map { member($0.profile) != nil } ?? true
    }

    /// Whether the suite runs the service, and so can set its clock and look into its log.
    static var isOwn: Bool { self.given == nil }
}
