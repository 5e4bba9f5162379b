import CMicrohttpd
import Cryptography
import Glibc

/// An RSA key of a server, with which libcrypto signs: GnuTLS takes three times as long, and that is nearly all that a new
/// connection costs.
final class TLSSigner: Sendable {
    private let key: RSAPrivateKey

    init(_ key: RSAPrivateKey) { self.key = key }

    /// The digests of RSASSA-PSS by GnuTLS's numbers for the algorithms (RFC 8446 section 4.2.3).
    private static let digests: [UInt32: SignatureDigest] = [
        GNUTLS_SIGN_RSA_PSS_RSAE_SHA256.rawValue: .sha256, GNUTLS_SIGN_RSA_PSS_RSAE_SHA384.rawValue: .sha384,
        GNUTLS_SIGN_RSA_PSS_RSAE_SHA512.rawValue: .sha512,
    ]

    /// The key in GnuTLS's form, for the caller to free or to give away.
    /// - Returns: `nil` when there is no memory.
    func handle() -> gnutls_privkey_t? {
        var handle: gnutls_privkey_t?
        guard unsafe gnutls_privkey_init(&handle) == GNUTLS_E_SUCCESS else { return nil }
        let status = unsafe gnutls_privkey_import_ext4(
            handle, Unmanaged.passRetained(self).toOpaque(), nil,
            { _, algorithm, signer, _, hashed, signature in
                guard let key = unsafe TLSSigner.key(of: signer), let hashed = unsafe hashed?.pointee,
                    let made = unsafe try? key.signature(
                        ofHashed: UnsafeBufferPointer(start: hashed.data, count: Int(hashed.size)),
                        pss: TLSSigner.digests[algorithm.rawValue])
                else { return GNUTLS_E_PK_SIGN_FAILED }
                // GnuTLS frees the copy.
                guard let copy = unsafe malloc(made.count) else { return GNUTLS_E_MEMORY_ERROR }
                unsafe UnsafeMutableRawBufferPointer(start: copy, count: made.count).copyBytes(from: made)
                unsafe signature?.pointee = gnutls_datum_t(
                    data: copy.assumingMemoryBound(to: UInt8.self), size: UInt32(made.count))
                return GNUTLS_E_SUCCESS
            }, nil,
            { _, signer in
                if let signer = unsafe signer { unsafe Unmanaged<TLSSigner>.fromOpaque(signer).release() }
            },
            { _, question, signer in
                if question & UInt32(GNUTLS_PRIVKEY_INFO_PK_ALGO) != 0 { return Int32(GNUTLS_PK_RSA.rawValue) }
                // RSASSA-PSS is for keys that are long enough.
                if question & UInt32(GNUTLS_PRIVKEY_INFO_PK_ALGO_BITS) != 0, let key = unsafe TLSSigner.key(of: signer)
                {
                    return Int32(key.bits)
                }
                guard question & UInt32(GNUTLS_PRIVKEY_INFO_HAVE_SIGN_ALGO) != 0 else { return -1 }
                // `GNUTLS_FLAGS_TO_SIGN_ALGO`, a macro.
                let algorithm = gnutls_sign_algorithm_t(rawValue: question >> 20)
                let isPSS = TLSSigner.digests[algorithm.rawValue] != nil
                return isPSS || gnutls_sign_get_pk_algorithm(algorithm) == GNUTLS_PK_RSA ? 1 : 0
            }, 0)
        return unsafe status == GNUTLS_E_SUCCESS ? handle : nil
    }

    private static func key(of signer: UnsafeMutableRawPointer?) -> RSAPrivateKey? {
        unsafe signer.map { unsafe Unmanaged<TLSSigner>.fromOpaque($0).takeUnretainedValue().key }
    }
}
