/// The SHA-256 of bytes that come in pieces, such as those of a file too large for memory.
package struct RunningDigest: ~Copyable {
    private let context: DigestContext

    package init() {
        self.context = DigestContext()
        self.context.begin(HashFunction.sha256.algorithm)
    }

    /// Adds the next bytes.
    package mutating func add(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe self.context.update($0) }
    }

    /// The digest of all bytes, 32 bytes.
    package consuming func finish() -> [UInt8] {
        let size = HashFunction.sha256.digestSize
        return unsafe [UInt8](unsafeUninitializedCapacity: size) { digest, count in
            unsafe self.context.finish(into: digest)
            count = size
        }
    }
}
