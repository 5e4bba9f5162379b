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
