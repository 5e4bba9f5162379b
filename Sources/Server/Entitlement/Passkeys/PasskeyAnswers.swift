import Cryptography
import FoundationEssentials

/// The answer of a browser about a new passkey (WebAuthn level 3, section 5.2.1). Foreign bytes, bounded and otherwise
/// unchecked.
package struct PasskeyRegistration: Hashable, Sendable {
    package static let maximumAttestation = 8192

    let clientData: [UInt8]
    let attestation: [UInt8]

    /// - Returns: `nil` when one of them is longer than it may be.
    package init?(clientData: [UInt8], attestation: [UInt8]) {
        guard clientData.count <= ClientData.maximumSize, attestation.count <= Self.maximumAttestation
        else { return nil }
        self.clientData = clientData
        self.attestation = attestation
    }
}

/// The answer of a browser about a passkey that was used (section 5.2.2). Foreign bytes, bounded and otherwise
/// unchecked.
package struct PasskeyAssertion: Hashable, Sendable {
    /// A signature of RSA with 4096 bits.
    package static let maximumSignature = 512
    package static let maximumHandle = 64

    let credential: [UInt8]
    let clientData: [UInt8]
    let authenticatorData: [UInt8]
    let signature: [UInt8]
    /// The user that the authenticator kept with the passkey; empty if it keeps no such thing.
    let userHandle: [UInt8]

    /// - Returns: `nil` when one of them is longer than it may be, or there is no credential.
    package init?(
        credential: [UInt8], clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userHandle: [UInt8]
    ) {
        guard Passkey.credentialLength.contains(credential.count), clientData.count <= ClientData.maximumSize,
            authenticatorData.count <= AuthenticatorData.maximumSize, signature.count <= Self.maximumSignature,
            userHandle.count <= Self.maximumHandle
        else { return nil }
        self.credential = credential
        self.clientData = clientData
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
    }
}

/// The browser's own statement about a question to an authenticator (section 5.8.1).
struct ClientData: Hashable, Sendable {
    static let maximumSize = 4096

    enum Kind: String {
        case creation = "webauthn.create"
        case use = "webauthn.get"
    }

    let challenge: [UInt8]

    /// Reads it, and checks all but the challenge: that it answers this kind of question, and was made on a page of
    /// `party` that no other page frames.
    init(_ bytes: [UInt8], _ kind: Kind, at party: RelyingParty) throws(PasskeyFault) {
        guard bytes.count <= Self.maximumSize, let fields = try? JSONDecoder().decode(Fields.self, from: Data(bytes)),
            let challenge = Base64.decodeURL(fields.challenge)
        else { throw .malformed }
        guard fields.type == kind.rawValue else { throw .kind }
        guard fields.origin == party.origin, fields.crossOrigin != true else { throw .origin }
        self.challenge = challenge
    }

    private struct Fields: Decodable {
        let type: String
        let challenge: String
        let origin: String
        let crossOrigin: Bool?
    }
}

/// Why what a browser said of a passkey proves nothing. For tests and operators: a viewer is told one sentence for all.
package enum PasskeyFault: String, Error, Hashable, Sendable, CaseIterable {
    /// Not of the form that WebAuthn gives it, or longer than it may be.
    case malformed
    /// An answer to another kind of question.
    case kind
    /// Not the challenge that was asked in this login, or over.
    case challenge
    /// Made on another site's page, or in a frame.
    case origin
    /// Made for another relying party.
    case party
    /// The authenticator did not see the viewer, or did not verify who it is.
    case viewer
    /// A key of a kind that was not asked for, or that is none.
    case key
    case attestation
    case signature
    /// The credential is another account's, or says so.
    case account
    /// The authenticator counted backwards, as a copy of it would.
    case counter
}
