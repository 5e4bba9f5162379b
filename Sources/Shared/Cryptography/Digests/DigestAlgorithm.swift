import COpenSSL

/// A hash function fetched from libcrypto once and kept for the life of the process.
///
/// Naming the algorithm anew for each operation would cost a search under a lock each time.
@safe package final class DigestAlgorithm: Sendable {
    /// For HMAC-SHA1 of deployed clients (rest-v1 7.2), and nothing new.
    package static let sha1 = required("SHA1")
    package static let sha256 = required("SHA256")
    static let sha384 = required("SHA384")
    static let sha512 = required("SHA512")
    /// `nil` if the system's policy forbids it.
    static let md5 = DigestAlgorithm(ifAllowed: "MD5")

    // EVP_MD is immutable once fetched, and its reference count is atomic.
    nonisolated(unsafe) let handle: OpaquePointer
    /// The size of a digest in bytes.
    let size: Int

    private static func required(_ name: String) -> DigestAlgorithm {
        guard let algorithm = DigestAlgorithm(ifAllowed: name) else {
            preconditionFailure("libcrypto offers no \(name): its configuration file excludes what this program needs")
        }
        return algorithm
    }

    private init?(ifAllowed name: String) {
        guard let handle = unsafe EVP_MD_fetch(nil, name, nil) else { return nil }
        unsafe self.handle = handle
        self.size = Int(unsafe EVP_MD_get_size(handle))
    }

    deinit { unsafe EVP_MD_free(self.handle) }
}
