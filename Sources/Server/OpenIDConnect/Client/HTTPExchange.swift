import Clientless
package import HTTPClient

/// The way to providers over ``HTTPClient``, whose configuration says whom to trust and which proxy to take. Redirections
/// are not followed: an answer is of the address that was asked.
package struct HTTPExchange: ProviderTransport {
    private let client: HTTPClient

    package init(_ client: HTTPClient) {
        self.client = client
    }

    package func send(_ request: ExchangeRequest) async throws(ExchangeError) -> ExchangeAnswer {
        var sent = HTTPClient.Request(
            request.method == .get ? .get : .post, request.address, body: request.body)
        for (name, value) in request.headers { sent.headers.append(name, value) }
        sent.responseLimit = request.limit
        sent.timeout = request.time
        sent.runsToItsEnd = request.runsToItsEnd
        do throws(HTTPClientError) {
            let answer = try await self.client.send(sent)
            return ExchangeAnswer(
                status: answer.status, contentType: answer.headers["content-type"],
                cacheControl: answer.headers["cache-control"],
                date: answer.date.map { Timestamp(seconds: $0) }, body: answer.body)
        } catch {
            throw ExchangeError(error)
        }
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
