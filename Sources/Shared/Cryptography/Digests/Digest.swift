package enum Digest {
    /// SHA-256 (FIPS 180-4), 32 bytes.
    package static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] { self.digest(of: bytes, .sha256) }

    /// SHA-384 (FIPS 180-4), 48 bytes.
    package static func sha384(_ bytes: some Collection<UInt8>) -> [UInt8] { self.digest(of: bytes, .sha384) }

    /// SHA-512 (FIPS 180-4), 64 bytes.
    package static func sha512(_ bytes: some Collection<UInt8>) -> [UInt8] { self.digest(of: bytes, .sha512) }

    /// MD5 (RFC 1321), 16 bytes; `nil` if the system's policy forbids it. Protects nothing: for identifiers in
    /// formats that fix it.
    package static func md5(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        DigestAlgorithm.md5.map { self.digest(of: bytes, $0) }
    }

    static func digest(of bytes: some Collection<UInt8>, _ algorithm: DigestAlgorithm) -> [UInt8] {
        unsafe withContiguousBytes(of: bytes) { bytes in
            unsafe [UInt8](unsafeUninitializedCapacity: algorithm.size) { digest, count in
                let context = DigestContext()
                context.begin(algorithm)
                unsafe context.update(UnsafeRawBufferPointer(bytes))
                unsafe context.finish(into: digest)
                count = algorithm.size
            }
        }
    }
}
