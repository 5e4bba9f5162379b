package import HTTPClient

/// The way to providers over ``HTTPClient``, whose configuration says whom to trust and which proxy to take. Redirections
/// are not followed: an answer is of the address that was asked.
package struct HTTPExchange: ProviderTransport {
    private let client: HTTPClient

    package init(_ client: HTTPClient) { self.client = client }

    package func send(_ request: HTTPClient.Request) async throws(ExchangeError) -> HTTPClient.Response {
        do throws(HTTPClientError) { return try await self.client.send(request) } catch { throw ExchangeError(error) }
    }
}

extension ExchangeError {
    init(_ error: HTTPClientError) {
        self =
            switch error.code {
            case _ where error.isNameUnknown: .nameUnknown
            case .unreachable: .unreachable
            case .timedOut: .timedOut
            case .tls:
                switch error.certificateFault {
                case .expired: .certificateExpired
                case .notYetValid: .certificateNotYetValid
                case .unknownAuthority: .authorityUnknown
                case .otherHost, .other, nil: .tls
                }
            case .tooLarge: .tooLarge
            case .cancelled: .cancelled
            case .connectionLost: error.isOfHandshake ? .handshakeLost : .connectionLost
            case .protocolError: .notHTTP
            case .invalidRequest: .invalidRequest
            default: .other
            }
    }
}
