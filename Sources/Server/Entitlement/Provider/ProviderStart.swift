package import Clientless
package import Cryptography
import FoundationEssentials

/// The facts of a login that a provider is told.
package struct ProviderLoginContext: Hashable, Sendable, Decodable {
    /// The longest ``reference``, in bytes; RelayState has no room for more (SAML 2.0 bindings, 3.4.3).
    package static let maximumReference = 80

    package let mvpd: MVPDID
    package let requestor: RequestorID
    /// The address of this server that the provider sends the browser back to, the same from beginning to end.
    package let callback: String
    /// The value sent as `state` or RelayState, which must come back: URL-safe characters. It names the login, and
    /// opens nothing without the browser that began it.
    package let reference: String
    /// The viewer must not be asked anything: `prompt=none`, `IsPassive`.
    package var isPassive = false
    /// Whether the provider asks also a viewer who is signed in there (`prompt=login`, `ForceAuthn`); `nil` is no.
    package var asksAnew: Bool?

    var json: JSONValue {
        .members([
            "mvpd": .string(self.mvpd.text), "requestor": .string(self.requestor.text),
            "callback": .string(self.callback), "reference": .string(self.reference),
            "isPassive": .boolean(self.isPassive), "asksAnew": self.asksAnew.map { .boolean($0) },
        ])
    }
}

package typealias ProviderStart = (handover: ProviderHandover, state: ProviderState)

/// A provider's notes on one login until the browser is back: a PKCE verifier, a nonce, the ID of
/// a request. The stored attempt has it, sealed.
package struct ProviderState: Hashable, Sendable, Decodable {
    package static let maximumSize = 4096
    package static let empty = ProviderState(checked: [])

    package var bytes: [UInt8] { Array(self.data) }
    private let data: Data

    /// - Throws: `misconfigured` when it is longer than ``maximumSize``.
    package init(_ bytes: some Collection<UInt8>) throws(ProviderError) {
        guard bytes.count <= Self.maximumSize
        else { throw ProviderError(.misconfigured, detail: "a login's state of \(bytes.count) bytes") }
        self.data = Data(bytes)
    }

    var json: JSONValue { ["data": .string(Base64.encode(self.data))] }

    private init(checked bytes: [UInt8]) { self.data = Data(bytes) }
}

/// How the browser reaches the provider (rest-v1 13.3).
package enum ProviderHandover: Hashable, Sendable {
    /// The server's own sign-in page.
    case signInPage
    case redirect(url: String)
    case form(ProviderForm)
    /// The provider accepts without a login page (rest-v1 20, 25).
    case accepted(ProviderLogin)
}

/// A form for a provider: where it goes, and its hidden fields.
package struct ProviderForm: Hashable, Sendable, Decodable {
    package let address: String
    package let fields: [NamedText]

    var json: JSONValue { ["address": .string(self.address), "fields": .array(self.fields.map(\.json))] }

    package init(to address: String, _ fields: [NamedText]) {
        self.address = address
        self.fields = fields
    }
}

/// The answer that came back from the browser.
package enum ProviderResponse: Sendable {
    case password(account: String, password: Secret)
    /// The provider sent the browser back with this.
    case callback(ProviderCallback)
}

/// The parameters that a provider sent a browser back with: foreign text, bounded and otherwise unchecked.
package struct ProviderCallback: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable {
        case get, post
    }

    package static let maximumCount = 32
    /// The most bytes of names and values together: a SAML response of 128 KiB, in Base64.
    package static let maximumSize = 175_104

    package let method: Method
    /// Decoded, in the order given. No name comes twice.
    package let parameters: [NamedText]
    /// The query as it was sent, which signatures of a redirect are about (SAML 2.0 bindings, 3.4.4.1).
    package let query: String

    /// - Returns: `nil` when there is too much, or a name comes twice.
    package init?(_ method: Method, _ parameters: [NamedText], query: String = "") {
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
