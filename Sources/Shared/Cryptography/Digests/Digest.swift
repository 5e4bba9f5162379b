/// Digests of whole byte strings.
package enum Digest {
    /// SHA-256 (FIPS 180-4), 32 bytes.
    package static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        self.digest(of: bytes, .sha256)
    }

    /// SHA-1 (FIPS 180-4), 20 bytes. Broken for signatures and file identity; only for formats that fix it.
    package static func sha1(_ bytes: some Collection<UInt8>) -> [UInt8] {
        self.digest(of: bytes, .sha1)
    }

    private static func digest(of bytes: some Collection<UInt8>, _ function: HashFunction) -> [UInt8] {
        unsafe withContiguousBytes(of: bytes) { bytes in
            unsafe [UInt8](unsafeUninitializedCapacity: function.digestSize) { digest, count in
                let context = DigestContext()
                context.begin(function.algorithm)
                unsafe context.update(UnsafeRawBufferPointer(bytes))
                unsafe context.finish(into: digest)
                count = function.digestSize
            }
        }
    }
}
