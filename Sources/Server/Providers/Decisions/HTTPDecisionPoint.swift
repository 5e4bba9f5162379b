package import Clientless
package import Entitlement

/// A provider's authorization endpoint: one question in JSON, one answer, item by item. `deploy/contracts/authorization.openapi.json`
/// describes both to those who write such an endpoint.
package struct HTTPDecisionPoint: AuthorizationEndpoint {
    /// The longest answer: 512 resources with a sentence each.
    package static let answerLimit = 262_144

    package var time: Duration { self.call.time }
    private let call: AuthorizationCall

    package init(_ call: AuthorizationCall) { self.call = call }

    package func decide(_ question: DecisionQuestion, now: Timestamp) async throws(ProviderError) -> [Decision] {
        let body = DecisionRequest.body(question.resources, viewer: question.viewer, requestor: question.requestor)
        let answer = try await self.ask(body)
        return answer.decisions(on: question.resources.count, now: now)
    }

    package func tryOut(now: Timestamp) async throws(ProviderError) {
        _ = try await self.ask(DecisionRequest.body([], viewer: nil, requestor: nil))
    }

    private func ask(_ body: [UInt8]) async throws(ProviderError) -> DecisionAnswer {
        let headers = [
            (name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json"),
        ]
        let answer = try await self.call.send(body, headers: headers, limit: Self.answerLimit)
        guard let read = DecisionAnswer(answer) else { throw AuthorizationCall.senseless }
        return read
    }
}

/// The request to an authorization endpoint.
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
