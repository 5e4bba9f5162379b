import FoundationEssentials
import TestSupport

/// The tokens in a box's store, read by the test itself.
struct StoredTokens: Decodable {
    struct Token: Decodable {
        let xml: String
    }

    struct Provider: Decodable {
        let authn: Token?
        let authz: [String: Token]
    }

    struct Requestor: Decodable {
        let mvpds: [String: Provider]
    }

    struct Scope: Decodable {
        let requestors: [String: Requestor]
    }

    private let scopes: [String: Scope]

    /// Those of all device scopes.
    var requestors: [String: Requestor] {
        self.scopes.values.reduce(into: [:]) { $0.merge($1.requestors) { first, _ in first } }
    }

    /// Every authentication token.
    var authentications: [String] { self.providers.compactMap { $0.authn?.xml } }
    /// Every authorization token.
    var authorizations: [String] { self.providers.flatMap { $0.authz.values.map(\.xml) } }

    private var providers: [Provider] { self.requestors.values.flatMap { $0.mvpds.values } }
}

extension TestBox {
    /// What is in the store at the moment.
    var storedTokens: StoredTokens {
        get throws {
            try JSONDecoder().decode(StoredTokens.self, from: Data(self.storedText.utf8))
        }
    }

    /// The whole store as text.
    var storedText: String {
        get throws { try self.folder.read("state/store.json") }
    }
}
