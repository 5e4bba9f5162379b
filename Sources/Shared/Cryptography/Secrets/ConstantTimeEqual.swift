import COpenSSL

/// Whether two byte strings are equal, in a time that depends on their lengths alone.
package func constantTimeEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    unsafe withContiguousBytes(of: left) { left in
        unsafe withContiguousBytes(of: right) { right in
            guard left.count == right.count else { return false }
            return unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
        }
    }
}
