import Clientless
import Cryptography
import Entitlement
import OpenIDConnect

/// The kept part of a sign-in at a provider with pages of its own.
protocol RemoteSession {
    /// - Returns: `nil` for anything but ``json``.
    init?(_ json: JSONValue)

    var json: JSONValue { get }

    /// As it is kept.
    /// - Throws: `misconfigured` when it is too much.
    func kept() throws(ProviderError) -> ProviderSession
}

extension RemoteSession {
    /// - Throws: `sessionOver` if it is no such session: the provider was of another kind when it was kept.
    init(_ session: ProviderSession) throws(ProviderError) {
        guard let kept = JSONValue(reading: session.bytes).flatMap(Self.init) else {
            throw ProviderError(.sessionOver, detail: "what was kept of the sign-in is of another kind of provider")
        }
        self = kept
    }
}

extension ProviderResponse {
    /// The answer that a browser brought from the provider's own pages.
    func callback() throws(ProviderError) -> ProviderCallback {
        guard case .callback(let answer) = self
        else { throw ProviderError(.unproven, detail: "viewers of this provider sign in at its own pages") }
        return answer
    }
}

struct OpenIDConnectSession: RemoteSession, Hashable, Sendable {
    /// `nil` for a viewer for whom a device's platform vouched: the provider itself gave nothing.
    private(set) var tokens: ProviderTokens?
    /// The viewer's package as the provider last said it; empty if the operator fixed it.
    let lineUp: [String]
    /// The viewer's metadata as the provider last said them, for a renewal that says nothing of it.
    let metadata: [String: MetadataValue]

    var json: JSONValue {
        .members(["tokens": self.tokens?.json, "lineUp": .texts(self.lineUp), "metadata": self.metadata.json])
    }

    /// An ID token that leaves no room stays away; a logout at the provider then asks the viewer.
    /// - Throws: `misconfigured` when there is too much even so.
    func kept() throws(ProviderError) -> ProviderSession {
        var copy = self
        copy.tokens = self.tokens?.kept(withHint: true)
        if copy.json.bytes.count > ProviderSession.maximumSize { copy.tokens = self.tokens?.kept(withHint: false) }
        return try ProviderSession(copy.json.bytes)
    }
}

extension OpenIDConnectSession {
    init?(_ json: JSONValue) {
        let tokens = json["tokens"].map(ProviderTokens.init)
        guard let lineUp = json["lineUp"]?.texts, let metadata = [String: MetadataValue](json["metadata"]),
            tokens != .some(nil)
        else { return nil }
        self.init(tokens: tokens.flatMap(\.self), lineUp: lineUp, metadata: metadata)
    }
}

struct SAMLSession: RemoteSession, Hashable, Sendable {
    /// `nil` for a viewer for whom a device's platform vouched: the provider itself gave nothing.
    let name: SAMLViewerName?
    let sessionIndex: String?
    /// The viewer's package as the provider named it; empty when the operator fixed it.
    let lineUp: [String]

    var json: JSONValue {
        .members([
            "name": self.name?.json, "sessionIndex": self.sessionIndex.map { .string($0) },
            "lineUp": .texts(self.lineUp),
        ])
    }

    func kept() throws(ProviderError) -> ProviderSession { try ProviderSession(self.json.bytes) }

    /// The provider's name for this session when it ends it: the viewer's name and the session's index together. A name
    /// that is another one for every sign-in needs no index.
    static func sessionName(_ name: SAMLViewerName, index: String?) -> String {
        let parts = [name.text, name.isLasting ? index ?? "" : ""]
        // The length in front keeps a name that ends like an index apart from a shorter one.
        let whole = "\(parts[0].utf8.count) \(parts[0]) \(parts[1])"
        return whole.utf8.count <= ProviderLogin.maximumName ? whole : Hex.encode(Digest.sha256(whole.utf8))
    }
}

extension SAMLSession {
    init?(_ json: JSONValue) {
        guard let lineUp = json["lineUp"]?.texts else { return nil }
        self.init(
            name: json["name"].flatMap { SAMLViewerName($0) }, sessionIndex: json["sessionIndex"]?.string,
            lineUp: lineUp)
    }
}
