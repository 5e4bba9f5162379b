import Cryptography

/// The public key of a passkey, of one of the kinds that are asked for (RFC 8152, RFC 8230).
enum CredentialKey: Sendable {
    case es256(ECPublicKey)
    case rs256(RSAPublicKey)
    case edDSA(Ed25519PublicKey)

    /// A modulus of 4096 bits; a longer one would make each check slow.
    private static let maximumModulus = 512

    /// - Throws: `key` if it is no key of these kinds.
    init(cose bytes: [UInt8]) throws(PasskeyFault) {
        guard let item = try? CBORReader.item(in: bytes), case .map = item else { throw .key }
        // Kind of key, algorithm, and what the kind has: a curve and coordinates, or modulus and exponent.
        switch (item[1]?.integer, item[3]?.integer) {
        case (1, -8):
            guard item[-1]?.integer == 6, let point = item[-2]?.bytes, let key = try? Ed25519PublicKey(bytes: point)
            else { throw .key }
            self = .edDSA(key)
        case (2, -7):
            guard item[-1]?.integer == 1, let x = item[-2]?.bytes, let y = item[-3]?.bytes,
                let key = try? ECPublicKey(x: x, y: y)
            else { throw .key }
            self = .es256(key)
        case (3, -257):
            guard let modulus = item[-1]?.bytes, modulus.count <= Self.maximumModulus, let exponent = item[-2]?.bytes,
                let key = try? RSAPublicKey(modulus: modulus, exponent: exponent)
            else { throw .key }
            self = .rs256(key)
        default: throw .key
        }
    }

    var algorithm: Int64 {
        switch self {
        case .edDSA: -8
        case .es256: -7
        case .rs256: -257
        }
    }

    func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch self {
        case .es256(let key): key.isValidSignature(signature, for: message)
        case .rs256(let key): key.isValidSignature(signature, for: message)
        case .edDSA(let key): key.isValidSignature(signature, for: message)
        }
    }
}
