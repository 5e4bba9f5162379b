package struct HTTPClientError: Error, Hashable {
    /// The kind of failure, by libcurl's result code.
    package enum Code: String, Hashable, Sendable {
        /// The name does not resolve, or the connection is refused, be it by the proxy.
        case unreachable
        case timedOut
        /// The certificate is not trusted, or TLS cannot be used at all.
        case tls
        /// The response is larger than the request allows.
        case tooLarge
        /// The task was cancelled, or the client shut down.
        case cancelled
        /// The connection ended in the middle, be it of the TLS handshake.
        case connectionLost
        /// The answer is not HTTP as agreed, or redirects without end.
        case protocolError
        /// The request cannot be sent as it is: its URL, or a header.
        case invalidRequest
        /// Anything else, such as a lack of memory.
        case other
    }

    package let code: Code
    /// libcurl's `CURLcode`; 0 when libcurl was not asked.
    package let curlCode: UInt32
    /// For operators; never the URL, which may hold a code.
    package let detail: String?
    /// Whether the way ended at the proxy.
    package var isOfProxy: Bool
    /// The status with which the proxy refuses to lead to the server; `nil` if that was not the failure.
    package let proxyStatus: Int?
    /// The fault of the server's certificate, or of the proxy's; `nil` if that was not the failure.
    package var certificateFault: CertificateFault?
    /// With the fault `otherHost`: the names and addresses in the certificate, such as `DNS:tv.example`; untrusted text.
    package var certificateNames: String?

    package init(
        _ code: Code, curlCode: UInt32 = 0, detail: String? = nil, certificateFault: CertificateFault? = nil,
        proxyStatus: Int? = nil
    ) {
        self.code = code
        self.curlCode = curlCode
        self.detail = detail
        self.certificateFault = certificateFault
        self.proxyStatus = proxyStatus
        self.isOfProxy = curlCode == 5 || curlCode == 97 || proxyStatus != nil
    }

    /// Why a certificate does not verify, told by OpenSSL's number (`X509_V_ERR_…`).
    package enum CertificateFault: Hashable, Sendable {
        /// By the clock of this machine its time has not come.
        case notYetValid
        /// By the clock of this machine its time is over.
        case expired
        /// No authority that is trusted here vouches for it.
        case unknownAuthority
        /// The chain is whole, and the certificate is one of another host.
        case otherHost
        /// Anything else, such as a signature that is wrong.
        case other

        init(verifyResult: Int) {
            switch verifyResult {
            // X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED (x509_vfy.h).
            case 9: self = .notYetValid
            case 10: self = .expired
            // Issuer not found, self-signed at either end of the chain, first certificate not verified.
            case 2, 18, 19, 20, 21: self = .unknownAuthority
            // X509_V_ERR_UNSPECIFIED: OpenSSL found no fault, and libcurl compared the names itself.
            case 1: self = .otherHost
            default: self = .other
            }
        }
    }

    /// Whether the name of the server, or of the proxy, could not be resolved.
    package var isNameUnknown: Bool { self.curlCode == 5 || self.curlCode == 6 }
    /// Whether the connection ended, or something else than TLS came, before a request was sent.
    package var isOfHandshake: Bool { self.curlCode == 35 }
    /// Whether the file of the trusted authorities cannot be used.
    package var isOfAuthorityFile: Bool { self.curlCode == 77 }
}

extension HTTPClientError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { self.code.rawValue }
    package var debugDescription: String { "\(self.code) (\(self.curlCode)): \(self.detail ?? "–")" }
}
