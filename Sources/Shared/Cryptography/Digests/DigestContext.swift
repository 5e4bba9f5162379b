import COpenSSL

/// A digest under way, owned by one thread at a time and freed when it goes out of scope.
@safe struct DigestContext: ~Copyable {
    let handle: OpaquePointer

    init() {
        guard let handle = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory for a digest") }
        unsafe self.handle = handle
    }

    deinit { unsafe EVP_MD_CTX_free(self.handle) }

    func begin(_ algorithm: DigestAlgorithm) {
        Self.require(unsafe EVP_DigestInit_ex2(self.handle, algorithm.handle, nil))
    }

    /// Goes on from where `other` is. `other` is only read.
    func resume(from other: borrowing DigestContext) {
        Self.require(unsafe EVP_MD_CTX_copy_ex(self.handle, other.handle))
    }

    func update(_ bytes: UnsafeRawBufferPointer) {
        Self.require(unsafe EVP_DigestUpdate(self.handle, bytes.baseAddress, bytes.count))
    }

    /// Writes the digest to the front of `digest`, which must have room for it.
    func finish(into digest: UnsafeMutableBufferPointer<UInt8>) {
        Self.require(unsafe EVP_DigestFinal_ex(self.handle, digest.baseAddress, nil))
    }

    /// The built-in digests fail only for want of memory, and there Swift stops as well.
    private static func require(_ status: Int32) {
        precondition(status == 1, "libcrypto could not go on with a digest")
    }
}
