import COpenSSL

/// A hash function fetched from libcrypto once and kept for the life of the process.
///
/// Naming the algorithm anew for each operation would cost a search under a lock each time.
@safe final class DigestAlgorithm: Sendable {
    static let sha1 = DigestAlgorithm("SHA1")
    static let sha256 = DigestAlgorithm("SHA256")
    static let sha384 = DigestAlgorithm("SHA384")
    static let sha512 = DigestAlgorithm("SHA512")
    /// `nil` if the system's policy forbids it.
    static let md5 = DigestAlgorithm(ifAllowed: "MD5")

    // EVP_MD is immutable once fetched, and its reference count is atomic.
    nonisolated(unsafe) let handle: OpaquePointer

    private convenience init(_ name: String) {
        guard let handle = unsafe EVP_MD_fetch(nil, name, nil) else {
            preconditionFailure("libcrypto offers no \(name): its configuration file excludes what this program needs")
        }
        unsafe self.init(adopting: handle)
    }

    private convenience init?(ifAllowed name: String) {
        guard let handle = unsafe EVP_MD_fetch(nil, name, nil) else { return nil }
        unsafe self.init(adopting: handle)
    }

    private init(adopting handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit { unsafe EVP_MD_free(self.handle) }
}

/// The hash functions in use. SHA-1 serves HMAC-SHA1 of deployed clients (rest-v1 7.2) and nothing new.
package enum HashFunction: Sendable {
    case sha1, sha256

    /// The size of a digest in bytes.
    package var digestSize: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        }
    }

    /// The size of a block in bytes, the same for both (FIPS 180-4, figure 1).
    static let blockSize = 64

    /// libcrypto's implementation.
    var algorithm: DigestAlgorithm {
        switch self {
        case .sha1: DigestAlgorithm.sha1
        case .sha256: DigestAlgorithm.sha256
        }
    }
}
