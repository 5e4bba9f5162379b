package import Clientless
package import Cryptography
package import Entitlement
import HTTPClient
package import OpenIDConnect

/// A provider's authorization endpoint: one question in JSON, one answer, item by item. `deploy/contracts/authorization.openapi.json`
/// describes both to those who write such an endpoint.
package struct HTTPDecisionPoint: AuthorizationEndpoint {
    /// The longest answer: 512 resources with a sentence each.
    package static let answerLimit = 262_144

    package var time: Duration { self.call.time }
    private let call: AuthorizationCall

    package init(_ call: AuthorizationCall) { self.call = call }

    package func decide(_ question: DecisionQuestion, now: Timestamp) async throws(ProviderError) -> [Decision] {
        let body = Self.body(question.resources, viewer: question.viewer, requestor: question.requestor)
        return try await self.ask(body).decisions(on: question.resources.count, now: now)
    }

    package func tryOut(now: Timestamp) async throws(ProviderError) {
        _ = try await self.ask(Self.body([], viewer: nil, requestor: nil))
    }

    private func ask(_ body: [UInt8]) async throws(ProviderError) -> DecisionAnswer {
        let headers: HTTPClient.Headers = ["Content-Type": "application/json", "Accept": "application/json"]
        let answer = try await self.call.send(body, headers: headers, limit: Self.answerLimit)
        guard let read = DecisionAnswer(answer) else { throw AuthorizationCall.senseless }
        return read
    }

    /// - Parameter viewer: `nil` only tries the endpoint out.
    static func body(_ resources: [Resource], viewer: String?, requestor: RequestorID?) -> [UInt8] {
        var members: [JSONValue.Member] = [.init("version", 1)]
        if let requestor { members.append(.init("requestor", .string(requestor.text))) }
        if let viewer { members.append(.init("viewer", .string(viewer))) }
        let items = resources.enumerated().map { index, resource -> JSONValue in
            var item: [JSONValue.Member] = [.init("id", .string(String(index)))]
            if let channel = try? resource.channelTitle() { item.append(.init("channel", .string(channel))) }
            item.append(.init("resource", .string(resource.text)))
            return .object(item)
        }
        members.append(.init("resources", .array(items)))
        return Array(JSONValue.object(members).text.utf8)
    }
}

/// A provider's authorization endpoint, whatever it is asked in.
package protocol AuthorizationEndpoint: DecisionPoint {
    /// Asks about no viewer and no resource, which shows that the endpoint is there and knows this server.
    func tryOut(now: Timestamp) async throws(ProviderError)
}

/// The way to an authorization endpoint: its address, what it knows this server by, and how long it may take.
package struct AuthorizationCall: Sendable {
    static let senseless = ProviderError(.misconfigured, detail: "the authorization endpoint's answer makes no sense")

    let address: String
    let time: Duration
    private let token: Secret?
    private let exchange: any ProviderTransport

    /// - Parameter token: what the endpoint knows this server by, in visible ASCII; `nil` if it needs none, or the
    ///   certificate of `exchange` is enough.
    package init(_ address: String, token: Secret?, time: Duration, exchange: any ProviderTransport) {
        self.address = address
        self.token = token
        self.time = time
        self.exchange = exchange
    }

    /// - Parameter limit: the longest answer, in bytes.
    /// - Returns: the body of an answer that went well.
    func send(_ body: [UInt8], headers: HTTPClient.Headers, limit: Int) async throws(ProviderError) -> [UInt8] {
        var request = HTTPClient.Request(
            .post, self.address, headers: headers, body: body, limit: limit, time: self.time)
        if let token = self.token {
            request.headers["Authorization"] = "Bearer " + token.withBytes { String(decoding: $0, as: UTF8.self) }
        }
        let answer = try await self.exchange.send(request) {
            ProviderError($0.trouble, detail: "the authorization endpoint: \($0.withRemedy)")
        }
        switch answer.status {
        case 200: return answer.body
        case 429, 500...599:
            throw ProviderError(.unreachable, detail: "the authorization endpoint answers \(answer.status)")
        default: throw ProviderError(.misconfigured, detail: "the authorization endpoint answers \(answer.status)")
        }
    }
}

extension HTTPClientError {
    /// The party that has to act because no answer came.
    var trouble: ProviderError.Kind { self.isMisconfigured ? .misconfigured : .unreachable }
}
