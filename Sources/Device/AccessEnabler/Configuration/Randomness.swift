import Cryptography

/// Where nonces and jitter come from.
package protocol Randomness: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

package struct SystemRandomness: Randomness {
    package init() {}

    package func bytes(_ count: Int) -> [UInt8] { SecureRandom.bytes(count) }
}

extension Randomness {
    /// A number from 0 up to, but not including, 1.
    var unit: Double {
        let bits = self.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Double(bits) / 4_294_967_296
    }
}
