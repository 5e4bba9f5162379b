package import Clientless

/// The way to a provider: one request, one bounded answer. The real one is ``HTTPExchange``.
package protocol ProviderTransport: Sendable {
    func send(_ request: ExchangeRequest) async throws(ExchangeError) -> ExchangeAnswer
}

extension ProviderTransport {
    /// - Parameter fault: makes the caller's own error of one without an answer.
    package func send<Failure: Error>(
        _ request: ExchangeRequest, or fault: (ExchangeError) -> Failure
    ) async throws(Failure) -> ExchangeAnswer {
        do throws(ExchangeError) { return try await self.send(request) } catch { throw fault(error) }
    }
}

package struct ExchangeRequest: Sendable {
    package enum Method: Sendable {
        case get, post
    }

    package let method: Method
    package let address: String
    package var headers: [(name: String, value: String)]
    package let body: [UInt8]?
    /// The most bytes of body the answer may have.
    package let limit: Int
    /// How long all of it may take.
    package let time: Duration
    /// Whether it goes on when its task is cancelled, as a token that counts once is spent by sending it.
    package var runsToItsEnd = false

    package init(
        _ method: Method, _ address: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        limit: Int, time: Duration
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
        self.limit = limit
        self.time = time
    }
}

/// The answer, whatever its status.
package struct ExchangeAnswer: Sendable {
    package let status: Int
    package var contentType: String?
    package var cacheControl: String?
    /// The time at the other end, if it says so.
    package var date: Timestamp?
    package let body: [UInt8]
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
