import COpenSSL
import Synchronization

/// Bytes that no guesser can foretell, from libcrypto's generator (RAND_bytes(3)).
package enum SecureRandom {
    /// `count` random bytes, at most 2³¹ − 1.
    ///
    /// Stops the program when the system has no randomness to give: no key, code or nonce may be made then.
    package static func bytes(_ count: Int) -> [UInt8] {
        precondition((0...Int(Int32.max)).contains(count), "a number of random bytes from 0 to 2^31 - 1")
        var bytes = [UInt8](repeating: 0, count: count)
        unsafe bytes.withUnsafeMutableBytes { unsafe Self.fill($0, count) }
        return bytes
    }

    package static func secret(_ count: Int) -> Secret {
        var bytes = Self.bytes(count)
        defer { cleanse(&bytes) }
        return Secret(bytes)
    }

    static func fill(_ buffer: UnsafeMutableRawBufferPointer, _ count: Int) {
        guard count > 0 else { return }
        guard count <= Self.mostStocked else { return unsafe Self.draw(buffer, count) }
        Self.stock.withLock { stock in
            if stock.left < count {
                unsafe stock.bytes.withUnsafeMutableBytes { unsafe Self.draw($0, $0.count) }
                stock.left = stock.bytes.count
            }
            stock.left -= count
            unsafe stock.bytes.withUnsafeMutableBytes { bytes in
                let taken = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[stock.left..<stock.left + count])
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(taken))
                // A byte that was given out is nowhere else.
                unsafe OPENSSL_cleanse(taken.baseAddress, count)
            }
        }
    }

    /// Each call of libcrypto's generator takes as long as some hundred bytes of it, and IDs, nonces and codes are short.
    /// No byte is given out twice; this process never forks but to run another program.
    private static let stock = Mutex((bytes: [UInt8](repeating: 0, count: 1024), left: 0))
    /// The most bytes that are taken from the stock, so that it serves many callers.
    private static let mostStocked = 64

    private static func draw(_ buffer: UnsafeMutableRawBufferPointer, _ count: Int) {
        let status = unsafe RAND_bytes(buffer.bindMemory(to: UInt8.self).baseAddress, Int32(count))
        precondition(status == 1, "the system gives no random bytes")
    }
}

/// ``SecureRandom`` in the form the standard library's `random(in:using:)` functions take.
package struct SecureRandomGenerator: RandomNumberGenerator, Sendable {
    package init() {}

    package mutating func next() -> UInt64 {
        var number: UInt64 = 0
        unsafe withUnsafeMutableBytes(of: &number) { unsafe SecureRandom.fill($0, $0.count) }
        return number
    }
}
