package import Clientless
package import Cryptography
package import Entitlement
package import OpenIDConnect

/// A provider's authorization endpoint: one question in JSON, one answer, item by item. `deploy/authorization.openapi.json`
/// describes both to those who write such an endpoint.
package struct HTTPDecisionPoint: DecisionPoint {
    /// The longest answer: 512 resources with a sentence each.
    package static let answerLimit = 262_144

    package let time: Duration
    private let address: String
    private let token: Secret?
    private let exchange: any Exchange

    /// - Parameter token: what the endpoint knows this server by, in visible ASCII; `nil` where it needs none, or the
    ///   certificate of `exchange` is enough.
    package init(_ address: String, token: Secret?, time: Duration, exchange: any Exchange) {
        self.address = address
        self.token = token
        self.time = time
        self.exchange = exchange
    }

    package func decide(_ question: DecisionQuestion, now: Timestamp) async throws(ProviderError) -> [Decision] {
        let body = DecisionRequest.body(question.resources, viewer: question.viewer, requestor: question.requestor)
        let answer = try await self.ask(body)
        return answer.decisions(on: question.resources.count, now: now)
    }

    /// Asks about no viewer and no resource, which shows that the endpoint is there and knows this server.
    package func tryOut() async throws(ProviderError) {
        _ = try await self.ask(DecisionRequest.body([], viewer: nil, requestor: nil))
    }

    private func ask(_ body: [UInt8]) async throws(ProviderError) -> DecisionAnswer {
        var request = ExchangeRequest(
            .post, self.address, headers: [("Content-Type", "application/json"), ("Accept", "application/json")],
            body: body, limit: Self.answerLimit, time: self.time)
        if let token = self.token {
            request.headers.append(
                ("Authorization", "Bearer " + token.withBytes { String(decoding: $0, as: UTF8.self) }))
        }
        let answer: ExchangeAnswer
        do throws(ExchangeError) {
            answer = try await self.exchange.send(request)
        } catch {
            throw ProviderError(Self.kind(of: error), detail: "the authorization endpoint: \(error)")
        }
        switch answer.status {
        case 200: break
        case 429, 500...599:
            throw ProviderError(.unreachable, detail: "the authorization endpoint answers \(answer.status)")
        default: throw ProviderError(.misconfigured, detail: "the authorization endpoint answers \(answer.status)")
        }
        guard let read = DecisionAnswer(answer.body)
        else { throw ProviderError(.misconfigured, detail: "the authorization endpoint's answer makes no sense") }
        return read
    }

    private static func kind(of error: ExchangeError) -> ProviderError.Kind {
        switch error {
        case .tls, .invalidRequest: .misconfigured
        case .nameUnknown, .unreachable, .timedOut, .connectionLost, .tooLarge, .notHTTP, .cancelled, .other:
            .unreachable
        }
    }
}

/// What an authorization endpoint is sent.
enum DecisionRequest {
    /// The version of question and answer.
    static let version: Int64 = 1

    /// - Parameter viewer: `nil` only tries the endpoint out.
    static func body(_ resources: [Resource], viewer: String?, requestor: RequestorID?) -> [UInt8] {
        var members: [JSONValue.Member] = [.init("version", .integer(Self.version))]
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
