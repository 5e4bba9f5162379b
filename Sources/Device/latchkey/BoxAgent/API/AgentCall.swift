import Clientless
import HTTPServer

/// A call that may be made: who makes it, and what with.
struct AgentCall: Sendable {
    let caller: AgentCaller
    let request: HTTPRequest

    /// The members of the body: an object with no other member than these.
    func body(_ known: String...) throws(AgentError) -> JSONValue {
        guard !self.request.body.isEmpty else { return .object([]) }
        guard let json = JSONValue(reading: self.request.body)
        else { throw AgentError(.badRequest, "The body is not JSON, or nested too deep.") }
        guard case .object(let members) = json else { throw AgentError(.badRequest, "The body is not a JSON object.") }
        for member in members where !known.contains(member.name) {
            throw AgentError(.badRequest, "\(Self.shown(member.name)) is not known here.")
        }
        return json
    }

    /// Refuses a query that has other parameters than the endpoint, or one of them twice.
    func checkQuery(of endpoint: AgentEndpoint) throws(AgentError) {
        let query = self.request.query
        if query.exceed(pairs: 16) || query.hasRepeatedName {
            throw AgentError(.badRequest, "A parameter of the query is there twice.")
        }
        let known = endpoint.parameters.filter { $0.place == .query }.map(\.name)
        for pair in query.pairs where !known.contains(pair.name) {
            throw AgentError(.badRequest, "\(Self.shown(pair.name)) is not known here.")
        }
    }

    /// A resource, which may be an MRSS document of several lines.
    static func resource(_ name: String, _ value: String?) throws(AgentError) -> String {
        try Self.text(name, value, limit: AgentAPI.resourceLimit, but: ["\t", "\n", "\r"])
    }

    /// A text of 1 to `limit` bytes without control characters.
    /// - Parameter allowed: the control characters that it may have.
    static func text(
        _ name: String, _ value: String?, limit: Int, but allowed: Set<Unicode.Scalar> = []
    ) throws(AgentError) -> String {
        guard let value else { throw AgentError(.badRequest, "\(name) is missing, or is not a text.") }
        guard (1...limit).contains(value.utf8.count),
            value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control || allowed.contains($0) })
        else { throw AgentError(.badRequest, "\(name) must have 1 to \(limit) bytes and no control characters.") }
        return value
    }

    /// A name that the caller made up, short and harmless enough to be repeated.
    private static func shown(_ name: String) -> String {
        let bytes = name.utf8.prefix(64).filter { $0 > 0x20 && $0 < 0x7F }
        return bytes.isEmpty ? "A name" : String(decoding: bytes, as: UTF8.self)
    }
}
