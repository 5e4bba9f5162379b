import COpenSSL

extension KeyHandle {
    /// The longest PEM text read, in bytes. A certificate of 8192 bits with many names stays far below.
    static let maximumPEMSize = 65_536

    /// Reads a private key: `PRIVATE KEY` (PKCS#8), or the older `RSA PRIVATE KEY` and `EC PRIVATE KEY`.
    /// - Throws: `unusableKey`, also when the key is encrypted.
    convenience init(privatePEM: Secret) throws(CryptographyError) {
        let pointer: OpaquePointer? = try unsafe privatePEM.withBytes { bytes throws(CryptographyError) in
            try Self.requireReadable(bytes)
            return unsafe MemoryBIO.reading(bytes) { unsafe copenssl_read_private_pem($0.handle) }
        }
        unsafe try self.init(adopting: pointer, "no private key in the PEM text, or an encrypted one")
    }

    /// Reads a public key: `PUBLIC KEY` (SubjectPublicKeyInfo), or that of a `CERTIFICATE` (X.509). Whether the
    /// certificate is current and who issued it is not looked at: the operator chose to trust the key in it.
    /// - Throws: `unusableKey`.
    convenience init(publicPEM: some Collection<UInt8>) throws(CryptographyError) {
        let bytes = Array(publicPEM)
        try Self.requireReadable(bytes)
        var pointer = unsafe MemoryBIO.reading(bytes) { unsafe copenssl_read_public_pem($0.handle) }
        if unsafe pointer == nil {
            ERR_clear_error()
            unsafe pointer = Self.certifiedKey(in: bytes)
        }
        unsafe try self.init(adopting: pointer, "no public key or certificate in the PEM text")
        // Trailing text makes the readers look for another block and note that it is missing.
        ERR_clear_error()
    }

    /// Reads the key of a `CERTIFICATE` (X.509) and of nothing else. Dates and issuer are not looked at, as above.
    /// - Throws: `unusableKey`.
    convenience init(certificatePEM: some Collection<UInt8>) throws(CryptographyError) {
        let bytes = Array(certificatePEM)
        try Self.requireReadable(bytes)
        unsafe try self.init(adopting: Self.certifiedKey(in: bytes), "no certificate in the PEM text")
        ERR_clear_error()
    }

    /// The key of the first certificate in a PEM text, for the caller to free.
    private static func certifiedKey(in bytes: [UInt8]) -> OpaquePointer? {
        unsafe MemoryBIO.reading(bytes) { bio in
            guard let certificate = unsafe Certificate(adopting: copenssl_read_certificate_pem(bio.handle))
            else { return nil }
            return unsafe certificate.publicKey
        }
    }

    /// The private key as unencrypted PKCS#8 in PEM.
    /// - Throws: `libraryFailure`.
    func privatePEM() throws(CryptographyError) -> Secret {
        let bio = MemoryBIO()
        guard unsafe PEM_write_bio_PKCS8PrivateKey(bio.handle, self.pointer, nil, nil, 0, nil, nil) == 1 else {
            throw .taking(.libraryFailure, "PEM_write_bio_PKCS8PrivateKey")
        }
        var contents = bio.contents
        defer { cleanse(&contents) }
        return Secret(contents)
    }

    /// The public half as SubjectPublicKeyInfo in PEM.
    /// - Throws: `libraryFailure`.
    func publicPEM() throws(CryptographyError) -> String {
        let bio = MemoryBIO()
        guard unsafe PEM_write_bio_PUBKEY(bio.handle, self.pointer) == 1 else {
            throw .taking(.libraryFailure, "PEM_write_bio_PUBKEY")
        }
        return String(decoding: bio.contents, as: UTF8.self)
    }

    private static func requireReadable(_ bytes: [UInt8]) throws(CryptographyError) {
        guard bytes.count <= Self.maximumPEMSize else { throw .unusableKey("a PEM text of more than 64 KiB") }
    }
}

/// An X.509 certificate, freed when it goes out of scope.
@safe private struct Certificate: ~Copyable {
    private let handle: OpaquePointer

    init?(adopting handle: OpaquePointer?) {
        guard let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe X509_free(self.handle) }

    /// The key in it, for the caller to free (X509_get_pubkey(3) raises the reference count).
    var publicKey: OpaquePointer? { unsafe X509_get_pubkey(self.handle) }
}
