import CMicrohttpd
import Cryptography
import Synchronization

/// A certificate chain and its key in GnuTLS's form, freed with the last reference.
///
/// Sendable by argument: it does not change once it is made, and GnuTLS may read such credentials for any number of
/// sessions on any number of threads ("Thread safety" in its manual).
@safe final class TLSCredentials: @unchecked Sendable {
    private let handle: gnutls_certificate_credentials_t
    /// Seals the sessions that clients bring back to resume them: without it each connection costs a signature.
    private let ticketKey: gnutls_datum_t

    /// - Returns: `nil` when one of the two cannot be read, or the key is not the certificate's.
    init?(_ tls: HTTPServerConfiguration.TLS) {
        var handle: gnutls_certificate_credentials_t?
        guard unsafe gnutls_certificate_allocate_credentials(&handle) == GNUTLS_E_SUCCESS, let handle = unsafe handle
        else { return nil }
        unsafe self.handle = handle
        var ticketKey = unsafe gnutls_datum_t()
        _ = unsafe gnutls_session_ticket_key_generate(&ticketKey)
        unsafe self.ticketKey = ticketKey
        let status = unsafe Self.withDatum(tls.certificatePEM) { certificate in
            unsafe Self.withDatum(tls.keyPEM) { key in
                var (certificate, key) = unsafe (certificate, key)
                return unsafe gnutls_certificate_set_x509_key_mem(
                    handle, &certificate, &key, GNUTLS_X509_FMT_PEM)
            }
        }
        guard status >= 0 else { return nil }
        if let key = try? RSAPrivateKey(pem: Secret(tls.keyPEM)), !self.replaceKey(by: TLSSigner(key)) { return nil }
    }

    /// Exchanges the key, and keeps its certificates.
    private func replaceKey(by signer: TLSSigner) -> Bool {
        var (chain, certificate) = unsafe ([gnutls_pcert_st](), gnutls_datum_t())
        while unsafe gnutls_certificate_get_crt_raw(self.handle, 0, UInt32(chain.count), &certificate) == 0 {
            unsafe chain.append(gnutls_pcert_st())
            let place = unsafe chain.count - 1
            guard unsafe gnutls_pcert_import_x509_raw(&chain[place], &certificate, GNUTLS_X509_FMT_DER, 0) == 0
            else { return false }
        }
        guard let key = unsafe signer.handle() else { return false }
        unsafe gnutls_certificate_free_keys(self.handle)
        // GnuTLS owns the key and the certificates from here on, and compares the two by a signature.
        return unsafe gnutls_certificate_set_key(self.handle, nil, 0, &chain, Int32(chain.count), key) >= 0
    }

    deinit {
        unsafe gnutls_certificate_free_credentials(self.handle)
        var ticketKey = unsafe self.ticketKey
        unsafe latchkey_free_key(&ticketKey)
    }

    /// Lets a connection that has just begun use these in place of those its daemon was started with, which stay if GnuTLS
    /// does not take these. They must outlive its TLS: GnuTLS keeps the pointer alone.
    func use(in session: gnutls_session_t) {
        var ticketKey = unsafe self.ticketKey
        // GnuTLS copies the key. If it refuses it, the client cannot resume the session.
        _ = unsafe gnutls_session_ticket_enable_server(session, &ticketKey)
        _ = unsafe gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(self.handle))
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
        unsafe self.first { unsafe gnutls_x509_crt_check_hostname($0, host) != 0 }
    }

    /// When the first certificate begins and when it ends, in seconds since 1970; `nil` when it cannot be read.
    package var lifetime: ClosedRange<Int64>? {
        unsafe self.first {
            let begin = unsafe Int64(gnutls_x509_crt_get_activation_time($0))
            return begin...max(begin, unsafe Int64(gnutls_x509_crt_get_expiration_time($0)))
        }
    }

    /// Whether the first certificate has an issuer other than itself, which does not come with it.
    package var isAlone: Bool {
        self.isIssued(byFirstOf: self.certificatePEM) == false
            && !self.others.contains { self.isIssued(byFirstOf: $0) == true }
    }

    /// Whether the first of other certificates may have issued the first; `nil` if one of them cannot be read.
    private func isIssued(byFirstOf certificates: String) -> Bool? {
        let issuer = HTTPServerConfiguration.TLS(certificatePEM: certificates, keyPEM: "")
        return unsafe self.first { leaf in
            unsafe issuer.first { unsafe gnutls_x509_crt_check_issuer(leaf, $0) != 0 }
        } ?? nil
    }

    /// Whether the key is that of a certificate behind the first.
    var isInWrongOrder: Bool {
        self.others.contains {
            TLSCredentials(HTTPServerConfiguration.TLS(certificatePEM: $0, keyPEM: self.keyPEM)) != nil
        }
    }

    private var others: [String] {
        let starts = self.certificatePEM.ranges(of: Self.heading).map(\.lowerBound) + [self.certificatePEM.endIndex]
        return zip(starts, starts.dropFirst()).dropFirst().map { String(self.certificatePEM[$0..<$1]) }
    }

    private static let heading = "-----BEGIN CERTIFICATE-----"

    private func first<Result>(_ body: (gnutls_x509_crt_t) -> Result) -> Result? {
        var handle: gnutls_x509_crt_t?
        guard unsafe gnutls_x509_crt_init(&handle) == GNUTLS_E_SUCCESS, let handle = unsafe handle else { return nil }
        defer { unsafe gnutls_x509_crt_deinit(handle) }
        let status = unsafe TLSCredentials.withDatum(self.certificatePEM) { certificate in
            var certificate = unsafe certificate
            return unsafe gnutls_x509_crt_import(handle, &certificate, GNUTLS_X509_FMT_PEM)
        }
        guard status == GNUTLS_E_SUCCESS else { return nil }
        return unsafe body(handle)
    }
}

/// The credentials that new connections use.
final class ServedCertificate: Sendable {
    private let state: Mutex<TLSCredentials>

    init(_ credentials: TLSCredentials) { self.state = Mutex(credentials) }

    var current: TLSCredentials { self.state.withLock { $0 } }

    func replace(with credentials: TLSCredentials) { self.state.withLock { $0 = credentials } }
}
