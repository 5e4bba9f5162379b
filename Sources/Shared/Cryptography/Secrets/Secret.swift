import COpenSSL

/// Bytes that must not be seen: every textual form is `<redacted>`, it cannot be encoded, and its memory is
/// overwritten when the last copy goes.
///
/// There is no `==`: a caller that compares secrets uses ``constantTimeEqual(_:_:)`` or compares keyed hashes.
package struct Secret: Sendable, Redacted {
    private let storage: SecretStorage

    package init(_ bytes: some Sequence<UInt8>) { self.storage = SecretStorage(Array(bytes)) }

    package init(_ text: String) { self.storage = SecretStorage(Array(text.utf8)) }

    package var count: Int { self.storage.count }

    /// Lends a copy of the bytes for the length of `body`, and overwrites it afterwards.
    ///
    /// A part of the array that `body` keeps is a copy of its own, beyond this type's care.
    package func withBytes<Result, Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var bytes = self.storage.copy()
        defer { cleanse(&bytes) }
        return try body(bytes)
    }
}

@safe private final class SecretStorage: Sendable {
    // Written in `init`, before the object can be shared, and in `deinit`, when it is not shared any more.
    nonisolated(unsafe) private let memory: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: consuming [UInt8]) {
        var bytes = bytes
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe memory.initialize(from: bytes)
        unsafe self.memory = memory
        cleanse(&bytes)
    }

    deinit {
        unsafe OPENSSL_cleanse(self.memory.baseAddress, self.memory.count)
        unsafe self.memory.deallocate()
    }

    var count: Int { unsafe self.memory.count }

    func copy() -> [UInt8] { unsafe Array(self.memory) }
}

/// Overwrites bytes that were a secret, in a way the compiler may not leave out (OPENSSL_cleanse(3)).
///
/// Reaches the array's memory only while the same array has no other holder.
func cleanse(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
}

/// Whether two byte strings are equal, in a time that depends on their lengths alone.
package func constantTimeEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    unsafe withContiguousBytes(of: left) { left in
        unsafe withContiguousBytes(of: right) { right in
            guard left.count == right.count else { return false }
            return unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
        }
    }
}
