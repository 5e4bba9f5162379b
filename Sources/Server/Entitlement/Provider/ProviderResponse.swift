package import Cryptography

/// The answer that came back from the browser.
package enum ProviderResponse: Sendable {
    case password(account: String, password: Secret)
    /// The provider sent the browser back with this.
    case callback(ProviderCallback)
}

/// The parameters that a provider sent a browser back with: foreign text, bounded and otherwise unchecked.
package struct ProviderCallback: Hashable, Sendable, Codable {
    package enum Method: String, Hashable, Sendable, Codable {
        case get, post
    }

    package struct Parameter: Hashable, Sendable, Codable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The most parameters.
    package static let maximumCount = 32
    /// The most bytes of names and values together: a SAML response of 128 KiB, in Base64.
    package static let maximumSize = 175_104

    package let method: Method
    /// Decoded, in the order given. No name comes twice.
    package let parameters: [Parameter]
    /// The query as it was sent, which signatures of a redirect are about (SAML 2.0 bindings, 3.4.4.1).
    package let query: String

    /// - Returns: `nil` when there is too much, or a name comes twice.
    package init?(_ method: Method, _ parameters: [Parameter], query: String = "") {
        let size = parameters.reduce(query.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard parameters.count <= Self.maximumCount, size <= Self.maximumSize,
            Set(parameters.map { Array($0.name.utf8) }).count == parameters.count
        else { return nil }
        self.method = method
        self.parameters = parameters
        self.query = query
    }

    package subscript(name: String) -> String? { self.parameters.first { $0.name == name }?.value }
}
