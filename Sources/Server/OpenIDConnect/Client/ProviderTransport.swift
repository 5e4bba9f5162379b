package import HTTPClient

/// The way to a provider: one request, one bounded answer. The real one is ``HTTPExchange``.
package protocol ProviderTransport: Sendable {
    func send(_ request: HTTPClient.Request) async throws(ExchangeError) -> HTTPClient.Response
}

extension ProviderTransport {
    /// - Parameter fault: makes the caller's own error of one without an answer.
    package func send<Failure: Error>(
        _ request: HTTPClient.Request, or fault: (ExchangeError) -> Failure
    ) async throws(Failure) -> HTTPClient.Response {
        do throws(ExchangeError) { return try await self.send(request) } catch { throw fault(error) }
    }
}

/// Why there is no answer.
package enum ExchangeError: String, Error, Hashable, Sendable, CaseIterable {
    case nameUnknown = "the name of the host does not resolve"
    case unreachable = "no connection"
    case timedOut = "no answer in time"
    case connectionLost = "the connection was lost"
    case handshakeLost = "the connection was lost before it was secure; the port may not speak https"
    case tooLarge = "the answer is too large"
    case notHTTP = "the answer is not HTTP"
    case cancelled = "given up"
    case invalidRequest = "the request cannot be sent"
    case other = "the request failed"
    case certificateExpired = "the certificate has expired"
    case certificateNotYetValid = "the certificate is not valid yet, by the clock of this machine"
    case authorityUnknown = "no authority that this machine trusts has signed the certificate"
    case tls = "the certificate is of another host, or TLS does not work"

    /// Whether one side's configuration is wrong; otherwise the other side is out of reach.
    package var isMisconfigured: Bool {
        switch self {
        case .certificateExpired, .certificateNotYetValid, .authorityUnknown, .tls, .invalidRequest: true
        case .nameUnknown, .unreachable, .timedOut, .connectionLost, .handshakeLost, .tooLarge, .notHTTP, .cancelled,
            .other:
            false
        }
    }

    /// Whether there was an answer that no one can use.
    package var isGarbage: Bool { self == .tooLarge || self == .notHTTP }
}

extension ExchangeError {
    /// The error at an endpoint whose settings can name authorities.
    package var withRemedy: String {
        self == .authorityUnknown ? "\(self); the setting authorities can name its authority" : "\(self)"
    }
}

extension ExchangeError: CustomStringConvertible {
    package var description: String { self.rawValue }
}
