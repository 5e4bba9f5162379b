import Clientless
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

/// A question to an authenticator, which this server knows again without having kept it: random bytes, when it ends, and a
/// keyed hash of both with what it was asked for. Any node checks what another asked; that it counts once, the store's
/// nonces see to.
struct PasskeyChallenge: Hashable, Sendable {
    enum Purpose: String, Sendable {
        case registration, signIn
    }

    /// The random part, by which an answered challenge is remembered.
    let nonce: [UInt8]
    let ends: Timestamp
    private let proof: [UInt8]

    private static let nonceSize = 16
    private static let endSize = 8
    private static let proofSize = 32

    /// A new challenge for a login, to be answered by the browser that the login belongs to, before the login ends.
    init(_ purpose: Purpose, of attempt: LoginAttempt, key: KeyedHash) {
        self.nonce = SecureRandom.bytes(Self.nonceSize)
        self.ends = attempt.expires
        self.proof = Self.proof(self.nonce, self.ends, purpose, attempt, key)
    }

    /// Reads a challenge that came back.
    /// - Returns: `nil` for one that was not asked for this purpose in this login, or is over at `now`.
    init?(_ bytes: [UInt8], _ purpose: Purpose, of attempt: LoginAttempt, key: KeyedHash, now: Timestamp) {
        guard bytes.count == Self.nonceSize + Self.endSize + Self.proofSize else { return nil }
        let rest = bytes.dropFirst(Self.nonceSize)
        let end = rest.prefix(Self.endSize).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.nonce = Array(bytes.prefix(Self.nonceSize))
        self.ends = Timestamp(milliseconds: Int64(truncatingIfNeeded: end))
        self.proof = Self.proof(self.nonce, self.ends, purpose, attempt, key)
        guard constantTimeEqual(self.proof, rest.dropFirst(Self.endSize)), now < self.ends else { return nil }
    }

    var bytes: [UInt8] { self.nonce + Self.bytes(of: self.ends) + self.proof }

    /// Every part but the last has a fixed length, and the attempt's hash stands for its code and provider.
    private static func proof(
        _ nonce: [UInt8], _ ends: Timestamp, _ purpose: Purpose, _ attempt: LoginAttempt, _ key: KeyedHash
    ) -> [UInt8] {
        key.hash(of: nonce + self.bytes(of: ends) + attempt.id.bytes + attempt.browser + Array(purpose.rawValue.utf8))
    }

    private static func bytes(of moment: Timestamp) -> [UInt8] {
        let number = UInt64(bitPattern: moment.milliseconds)
        return (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }
}
