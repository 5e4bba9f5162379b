package import Clientless

/// An HMAC key pair as the store keeps it (rest-v1 7.2). The private half is sealed under the server's key.
package struct KeyPairRecord: Hashable, Sendable {
    /// 32 ASCII characters; an identifier, not a secret.
    package var publicKey: String
    package var sealedPrivateKey: [UInt8]
    package let requestors: [RequestorID]
    /// A programmer's server uses it on behalf of devices; its `X-Forwarded-For` is believed (rest-v1 28.2).
    package let isServerToServer: Bool
    package var created: Timestamp
    /// No longer accepted from this moment on; set by revocation, or ahead of time by rotation.
    package var ends: Timestamp?
    /// The person or box it was made for, in the operator's words (``CredentialLabel``); `nil` if none was told.
    package let label: String?

    package init(
        publicKey: String, sealedPrivateKey: [UInt8], requestors: [RequestorID], isServerToServer: Bool = false,
        created: Timestamp, ends: Timestamp?, label: String? = nil
    ) {
        self.publicKey = publicKey
        self.sealedPrivateKey = sealedPrivateKey
        self.requestors = requestors
        self.isServerToServer = isServerToServer
        self.created = created
        self.ends = ends
        self.label = label
    }

    package func isActive(at now: Timestamp) -> Bool { now.isBefore(self.ends) }
}

/// The operator's name of a credential, to know it again in a list.
package enum CredentialLabel {
    /// In bytes of UTF-8.
    package static let lengths = 1...120

    /// The label as it is kept; `nil` for a text that cannot be one.
    package static func canonical(_ text: String) -> String? {
        let isFit =
            self.lengths.contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isFit ? text : nil
    }
}

/// A registered application, which software statements name (rest-v1 9, 10.1).
package struct ApplicationRecord: Hashable, Sendable {
    /// UUID text.
    package let softwareID: String
    package let name: String
    package let version: String
    package let requestors: [RequestorID]
    /// Domains and custom schemes a `redirect_uri` may use.
    package let redirectTargets: [String]
    /// The names, as they were written.
    package let scopes: [String]
    /// A programmer's server uses it on behalf of devices; its `X-Forwarded-For` is believed (rest-v1 28.2).
    package let isServerToServer: Bool
    package let created: Timestamp
    package var ends: Timestamp?

    package init(
        softwareID: String, name: String, version: String, requestors: [RequestorID], redirectTargets: [String],
        scopes: [String], isServerToServer: Bool = false, created: Timestamp, ends: Timestamp?
    ) {
        self.softwareID = softwareID
        self.name = name
        self.version = version
        self.requestors = requestors
        self.redirectTargets = redirectTargets
        self.scopes = scopes
        self.isServerToServer = isServerToServer
        self.created = created
        self.ends = ends
    }

    /// The rights that ``scopes`` name (rest-v1 10.5).
    package var grantedScopes: Set<Scope> { Scope.set(of: self.scopes) }

    package func isActive(at now: Timestamp) -> Bool { now.isBefore(self.ends) }
}

/// One installation of a registered application (rest-v1 10.2).
package struct ClientRecord: Hashable, Sendable {
    package let clientID: String
    /// SHA-256 of the client secret, keyed with the server's key.
    package let secretHash: [UInt8]
    package let softwareID: String
    package let redirectURIs: [String]
    package let created: Timestamp
    /// When it last got an access token, to the day; one that is not used is erased in the end.
    package var lastUsed: Timestamp

    /// - Parameter lastUsed: `nil` means when it was created.
    package init(
        clientID: String, secretHash: [UInt8], softwareID: String, redirectURIs: [String], created: Timestamp,
        lastUsed: Timestamp? = nil
    ) {
        self.clientID = clientID
        self.secretHash = secretHash
        self.softwareID = softwareID
        self.redirectURIs = redirectURIs
        self.created = created
        self.lastUsed = lastUsed ?? created
    }
}

extension Timestamp {
    /// Whether something that ends at `end`, or never, is not over yet.
    func isBefore(_ end: Timestamp?) -> Bool { end.map { self < $0 } ?? true }
}
