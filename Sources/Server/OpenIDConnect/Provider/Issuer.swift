import Clientless

/// The issuer of a provider's tokens: an address without query (OpenID Connect Discovery 2). Compared byte for byte.
package struct Issuer: Hashable, Sendable, CustomStringConvertible {
    package let address: EndpointAddress

    package var text: String { self.address.text }
    package var description: String { self.text }
    var json: JSONValue { ["address": ["text": .string(self.text)]] }

    package init?(_ text: String, policy: EndpointAddress.Policy) {
        guard let address = EndpointAddress(text, policy: policy), !text.utf8.contains(UInt8(ascii: "?"))
        else { return nil }
        self.address = address
    }

    /// As it was kept by ``json``.
    init?(_ json: JSONValue?) {
        guard let text = json?["address"]?["text"]?.string else { return nil }
        self.init(text, policy: .secureOrLoopback)
    }

    /// The address of its metadata (OpenID Connect Discovery 4.1: behind the issuer, without a slash at its end).
    package var metadataAddress: String {
        let base = self.text.hasSuffix("/") ? String(self.text.dropLast()) : self.text
        return "\(base)/.well-known/openid-configuration"
    }

    func isNamed(by text: String?) -> Bool { text.map { $0.utf8.elementsEqual(self.text.utf8) } ?? false }
}
