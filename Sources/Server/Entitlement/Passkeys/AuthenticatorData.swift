import Cryptography

/// The data that an authenticator says and signs (WebAuthn level 3, section 6.1).
struct AuthenticatorData: Hashable, Sendable {
    /// A key of 4096 bits, the longest ID and extensions of some hundred bytes stay below.
    static let maximumSize = 4096

    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let userPresent = Flags(rawValue: 0x01)
        static let userVerified = Flags(rawValue: 0x04)
        /// The passkey may be copied to other devices of the viewer.
        static let backupEligible = Flags(rawValue: 0x08)
        static let backedUp = Flags(rawValue: 0x10)
        static let hasCredential = Flags(rawValue: 0x40)
        static let hasExtensions = Flags(rawValue: 0x80)
    }

    /// A new credential (section 6.5.1).
    struct Credential: Hashable, Sendable {
        let id: [UInt8]
        /// The public key in COSE, as it came.
        let publicKey: [UInt8]
    }

    /// SHA-256 of the relying party's ID.
    let partyHash: [UInt8]
    let flags: Flags
    let signCount: UInt32
    let credential: Credential?

    /// - Throws: `malformed`, also when anything is left over.
    init(_ bytes: [UInt8]) throws(PasskeyFault) {
        guard (37...Self.maximumSize).contains(bytes.count) else { throw .malformed }
        self.partyHash = Array(bytes[..<32])
        let flags = Flags(rawValue: bytes[32])
        self.flags = flags
        self.signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        // "If the BE bit is not set, verify that the BS bit is not set" (section 7.1).
        guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else { throw .malformed }
        var position = 37
        self.credential = try flags.contains(.hasCredential) ? Self.credential(in: bytes, from: &position) : nil
        if flags.contains(.hasExtensions) {
            var reader = CBORReader(bytes, from: position)
            guard let extensions = try? reader.item(), case .map = extensions else { throw .malformed }
            position = reader.position
        }
        guard position == bytes.count else { throw .malformed }
    }

    private static func credential(in bytes: [UInt8], from position: inout Int) throws(PasskeyFault) -> Credential {
        // 16 bytes name the kind of authenticator, which is of no interest without attestation.
        let start = position + 18
        guard start <= bytes.count else { throw .malformed }
        let length = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
        guard Passkey.credentialLength.contains(length), start + length < bytes.count else { throw .malformed }
        var reader = CBORReader(bytes, from: start + length)
        guard let key = try? reader.item(), case .map = key else { throw .malformed }
        position = reader.position
        return Credential(
            id: Array(bytes[start..<(start + length)]), publicKey: Array(bytes[(start + length)..<position]))
    }
}

/// The public key of a passkey, of one of the kinds that are asked for (RFC 8152, RFC 8230).
struct CredentialKey {
    let algorithm: Int64
    let key: VerificationKey

    /// A modulus of 4096 bits; a longer one would make each check slow.
    private static let maximumModulus = 512

    /// - Throws: `key` if it is no key of these kinds.
    init(cose bytes: [UInt8]) throws(PasskeyFault) {
        guard let item = try? CBORReader.item(in: bytes), case .map = item, let algorithm = item[3]?.integer
        else { throw .key }
        func number(_ label: Int64) -> [UInt8] { item[label]?.bytes ?? [] }
        // Kind of key, algorithm, and what the kind has: a curve and coordinates, or modulus and exponent.
        let key: VerificationKey? =
            switch (item[1]?.integer, algorithm) {
            case (1, -8) where item[-1]?.integer == 6: try? VerificationKey(ed25519: number(-2))
            case (2, -7) where item[-1]?.integer == 1: try? VerificationKey(ECPublicKey(x: number(-2), y: number(-3)))
            case (3, -257) where number(-1).count <= Self.maximumModulus:
                try? VerificationKey(RSAPublicKey(modulus: number(-1), exponent: number(-2)))
            default: nil
            }
        guard let key else { throw .key }
        (self.algorithm, self.key) = (algorithm, key)
    }
}
