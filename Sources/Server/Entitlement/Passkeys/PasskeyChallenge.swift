import Clientless
import Cryptography

/// A question to an authenticator, which this server knows again without having kept it: random bytes, when it ends, and a
/// keyed hash of both with what it was asked for. Any node checks what another asked; that it counts once, the store's
/// nonces see to.
struct PasskeyChallenge: Hashable, Sendable {
    /// The purpose of an answer.
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
