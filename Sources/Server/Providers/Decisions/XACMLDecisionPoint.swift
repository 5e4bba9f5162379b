package import Clientless
package import Entitlement
import HTTPClient

/// A provider's authorization endpoint in its classic form: a SOAP envelope with an `XACMLAuthzDecisionQuery`, answered by an
/// `XACMLAuthzDecisionStatement` (SAML 2.0 profile of XACML 2.0, 4; XACML 2.0; multiple resource profile of XACML 2.0, 3).
///
/// The endpoint is proved by TLS, as the one in JSON is; signatures in its answers are not looked at.
package struct XACMLDecisionPoint: AuthorizationEndpoint {
    /// The longest answer, in bytes: 512 resources with a sentence and some obligations each.
    package static let answerLimit = 1 << 20
    /// How often one name of a resource may come in a question: each time makes a query of its own, for a result says
    /// which resource it is on by that name alone.
    private static let maximumRounds = 16

    package var time: Duration { self.call.time }
    private let call: AuthorizationCall
    private let issuer: String

    /// - Parameter issuer: what the endpoint calls this server.
    package init(_ call: AuthorizationCall, issuer: String) {
        self.call = call
        self.issuer = issuer
    }

    package func decide(_ question: DecisionQuestion, now: Timestamp) async throws(ProviderError) -> [Decision] {
        let items = question.resources.map(XACMLResource.init)
        var decisions = [Decision](repeating: .unanswered, count: items.count)
        for places in Self.rounds(of: items) {
            let asked = places.map { items[$0] }
            let query = XACMLQuery(viewer: question.viewer, requestor: question.requestor, resources: asked)
            let answer = try await self.answer(to: query, now: now) { (body, id) throws(AssertionFault) in
                try XACMLAnswer(body, to: id, for: self.issuer, now: now)
            }
            for (place, decision) in zip(places, answer.decisions(on: asked.map(\.id), now: now)) {
                decisions[place] = decision
            }
        }
        return decisions
    }

    /// Any answer to the question will do, also that the endpoint can decide nothing of it.
    package func tryOut(now: Timestamp) async throws(ProviderError) {
        let query = XACMLQuery(viewer: nil, requestor: nil, resources: [])
        _ = try await self.answer(to: query, now: now) { (body, id) throws(AssertionFault) in
            try XACMLAnswer.response(in: body, to: id)
        }
    }

    /// The places of resources that can stand in one query; a name that comes too often is asked about no more.
    private static func rounds(of items: [XACMLResource]) -> [[Int]] {
        var seen: [String: Int] = [:]
        var rounds: [[Int]] = []
        for (place, item) in items.enumerated() {
            let round = seen[item.id, default: 0]
            seen[item.id] = round + 1
            if round < rounds.count {
                rounds[round].append(place)
            } else if round < Self.maximumRounds {
                rounds.append([place])
            }
        }
        return rounds
    }

    /// The answer to a query, as `read` understands it.
    private func answer<Answer>(
        to query: XACMLQuery, now: Timestamp, _ read: ([UInt8], _ id: String) throws(AssertionFault) -> Answer
    ) async throws(ProviderError) -> Answer {
        let id = SAMLRequests.newID()
        let message = query.message(SAMLRequests(issuer: self.issuer, now: now), id: id, to: self.call.address)
        let headers: HTTPClient.Headers = [
            "Content-Type": "text/xml; charset=utf-8", "Accept": "text/xml",
            "SOAPAction": "\"http://www.oasis-open.org/committees/security\"",
        ]
        let body = try await self.call.send(
            Array(message.inEnvelope.written.utf8), headers: headers, limit: Self.answerLimit)
        do throws(AssertionFault) {
            return try read(body, id)
        } catch {
            throw ProviderError(.misconfigured, detail: "\(AuthorizationCall.senseless.detail): \(error)")
        }
    }
}
