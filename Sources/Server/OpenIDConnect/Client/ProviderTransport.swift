package import HTTPClient

/// The way to a provider: one request, one bounded answer. The real one is ``HTTPClient``, whose configuration says whom to trust and
/// which proxy to take. Redirections are not followed: an answer is of the address that was asked.
package protocol ProviderTransport: Sendable {
    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response
}

extension ProviderTransport {
    /// - Parameter fault: makes the caller's own error of one without an answer.
    package func send<Failure: Error>(
        _ request: HTTPClient.Request, or fault: (HTTPClientError) -> Failure
    ) async throws(Failure) -> HTTPClient.Response {
        do throws(HTTPClientError) { return try await self.send(request) } catch { throw fault(error) }
    }
}

extension HTTPClient: ProviderTransport {}

extension HTTPClientError {
    /// Why there is no answer, as a clause.
    package var reason: String {
        switch self.code {
        case _ where self.isNameUnknown: "the name of the host does not resolve"
        case .unreachable: "no connection"
        case .timedOut: "no answer in time"
        case .connectionLost where self.isOfHandshake:
            "the connection was lost before it was secure; the port may not speak https"
        case .connectionLost: "the connection was lost"
        case .tooLarge: "the answer is too large"
        case .protocolError: "the answer is not HTTP"
        case .cancelled: "given up"
        case .invalidRequest: "the request cannot be sent"
        case .other: "the request failed"
        case .tls:
            switch self.certificateFault {
            case .expired: "the certificate has expired"
            case .notYetValid: "the certificate is not valid yet, by the clock of this machine"
            case .unknownAuthority: "no authority that this machine trusts has signed the certificate"
            case .otherHost, .other, nil: "the certificate is of another host, or TLS does not work"
            }
        }
    }

    /// The same at an endpoint whose settings can name authorities.
    package var withRemedy: String {
        guard self.certificateFault == .unknownAuthority else { return self.reason }
        return "\(self.reason); the setting authorities can name its authority"
    }

    /// Whether one side's configuration is wrong; otherwise the other side is out of reach.
    package var isMisconfigured: Bool { self.code == .tls || self.code == .invalidRequest }
    package var isGarbage: Bool { self.code == .tooLarge || self.code == .protocolError }
}
