import Entitlement
import HTTPClient
import TestSupport
import Testing
import WireAnswers

@Suite("Every row of the status tables", .wire, .timeLimit(.minutes(5)))
struct StatusTableTests {
    enum Form: String, Sendable, CaseIterable {
        case json, xml
    }

    @Test(arguments: EveryCase.sample(StatusTable.rows), Form.allCases)
    func `has the status and the whole body in either form`(_ row: StatusRow, _ form: Form) async throws {
        let code = try await row.condition.prepare()
        let answer = try await Self.ask(row, code, form).expect(row.expected.status)
        let body = row.expected.body(form)
        #expect(answer.text == Self.filled(body, code, answer))
        #expect(answer.headers["Content-Type"] == (body.isEmpty ? nil : row.expected.contentType(form)))
        #expect(answer.headers["Adobe-Request-Id"]?.utf8.count == 36)
        #expect(answer.headers["Cache-Control"] == "no-store")
        let location = answer.headers["Location"] ?? ""
        #expect(row.expected.location.map { location.hasPrefix($0) } ?? location.isEmpty, "\(location)")
        // HEAD is GET without the body (rest-v1 3.3).
        if row.method == .get { try await Self.ask(row, code, form, method: .head).expect(answer.status, "") }
    }

    private static func ask(
        _ row: StatusRow, _ code: String, _ form: Form, method: HTTPClient.Method? = nil
    ) async throws -> WireAnswer {
        let target = row.target.replacing("{code}", with: code)
        let accept = form == .json ? "application/json" : "*/*"
        let method = method ?? row.method
        switch row.caller {
        case .box: return try await wire.signed(method, target, accept: accept, body: row.body)
        case .page: return try await wire.call(method, target, headers: ["Accept": accept], body: row.body)
        case .broken:
            let headers: HTTPClient.Headers = ["Accept": accept, "Authorization": "GET nonsense"]
            return try await wire.call(method, target, headers: headers, body: row.body)
        case .foreign:
            return try await wire.signed(
                method, target, accept: accept, body: row.body, requestor: WireFixture.foreign,
                keyPair: WireFixture.foreignKeyPair)
        }
    }

    /// The body with what no table can know.
    private static func filled(_ body: String, _ code: String, _ answer: WireAnswer) -> String {
        var body = body.replacing("{code}", with: answer.value("code") ?? code)
        for name in ["id", "serializedToken"] {
            body = body.replacing("{\(name)}", with: answer.value(name) ?? "")
        }
        return body.replacing("{user}", with: wire.domain.keys.userID("ada", of: WireFixture.provider))
    }
}
