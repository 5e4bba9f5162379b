import CMicrohttpd
import Synchronization

/// A certificate chain and its key in GnuTLS's form, freed with the last reference.
///
/// Sendable by argument: it does not change once it is made, and GnuTLS may read such credentials for any number of
/// sessions on any number of threads ("Thread safety" in its manual).
@safe final class TLSCredentials: @unchecked Sendable {
    private let handle: gnutls_certificate_credentials_t

    /// - Returns: `nil` when one of the two cannot be read, or the key is not the certificate's.
    init?(_ tls: HTTPServerConfiguration.TLS) {
        var handle: gnutls_certificate_credentials_t?
        guard unsafe gnutls_certificate_allocate_credentials(&handle) == GNUTLS_E_SUCCESS, let handle = unsafe handle
        else { return nil }
        unsafe self.handle = handle
        let status = unsafe Self.withDatum(tls.certificatePEM) { certificate in
            unsafe Self.withDatum(tls.keyPEM) { key in
                var (certificate, key) = unsafe (certificate, key)
                return unsafe gnutls_certificate_set_x509_key_mem(
                    handle, &certificate, &key, GNUTLS_X509_FMT_PEM)
            }
        }
        guard status >= 0 else { return nil }
    }

    deinit { unsafe gnutls_certificate_free_credentials(self.handle) }

    /// Lets a connection that has just begun use these in place of those its daemon was started with. They must outlive
    /// its TLS: GnuTLS keeps the pointer alone.
    func use(on connection: OpaquePointer) -> Bool {
        guard let session = unsafe latchkey_tls_session(connection) else { return false }
        return unsafe gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(self.handle))
            == GNUTLS_E_SUCCESS
    }

    fileprivate static func withDatum<Result>(_ text: String, _ body: (gnutls_datum_t) -> Result) -> Result {
        var bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe body(gnutls_datum_t(data: $0.baseAddress, size: UInt32($0.count)))
        }
    }
}

extension HTTPServerConfiguration.TLS {
    /// Why a server cannot use the two; `nil` when it can. Dates, names and issuers are not looked at.
    package var fault: String? { TLSCredentials(self) == nil ? self.likelyFault : nil }

    /// Whether the first certificate is for a host, a name or an IP address, as a client compares them (RFC 6125);
    /// `nil` when it cannot be read.
    package func covers(host: String) -> Bool? {
        var handle: gnutls_x509_crt_t?
        guard unsafe gnutls_x509_crt_init(&handle) == GNUTLS_E_SUCCESS, let handle = unsafe handle else { return nil }
        defer { unsafe gnutls_x509_crt_deinit(handle) }
        let status = unsafe TLSCredentials.withDatum(self.certificatePEM) { certificate in
            var certificate = unsafe certificate
            return unsafe gnutls_x509_crt_import(handle, &certificate, GNUTLS_X509_FMT_PEM)
        }
        guard status == GNUTLS_E_SUCCESS else { return nil }
        return unsafe gnutls_x509_crt_check_hostname(handle, host) != 0
    }
}

/// The credentials that new connections use.
final class ServedCertificate: Sendable {
    private let state: Mutex<TLSCredentials>

    init(_ credentials: TLSCredentials) { self.state = Mutex(credentials) }

    var current: TLSCredentials { self.state.withLock { $0 } }

    func replace(with credentials: TLSCredentials) { self.state.withLock { $0 = credentials } }
}
