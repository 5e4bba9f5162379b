import Clientless
import Entitlement
import HTTPServer
import Testing

@testable import ServerAPI

@Suite("An error on the wire")
struct WireErrorTests {
    private func text(_ error: WireError, _ format: WireFormat) -> String {
        String(decoding: Answer.error(error, format).body, as: UTF8.self)
    }

    @Test func `has details only where its family has them, and XML leaves out empty ones`() {
        let error = WireError(.forbidden, "User not authorized", details: "<No>")
        #expect(self.text(error, .json) == #"{"status":403,"message":"User not authorized","details":"<No>"}"#)
        #expect(
            self.text(error, .xml) == WireDocumentTests.declaration
                + "<error><status>403</status><message>User not authorized</message>"
                + "<details>&lt;No&gt;</details></error>"
        )
        let empty = WireError(.forbidden, "User not authorized", details: .null)
        #expect(self.text(empty, .json) == #"{"status":403,"message":"User not authorized","details":null}"#)
        #expect(self.text(empty, .xml).hasSuffix("<message>User not authorized</message></error>"))
        #expect(self.text(.notFound, .json) == #"{"status":404,"message":"Not Found"}"#)
        let missing = WireError.missing("resource")
        #expect(self.text(missing.worded(for: .authorization), .json).hasSuffix(#","details":null}"#))
        #expect(!self.text(missing.worded(for: .authentication), .json).contains("details"))
        #expect(!self.text(WireError.bearerContradicted.worded(for: .authorization), .json).contains("details"))
    }

    @Test func `is a bare 500 when nobody knows it`() {
        let error = WireError(EntitlementError(.internal, viewerMessage: "secret", detail: "secret"))
        #expect(self.text(error, .json) == #"{"status":500,"message":"Internal Server Error"}"#)
    }

    @Test func `is escaped in the page for people, which may load nothing`() {
        let page = Answer.page(WireError(.badRequest, "<script>'\"&"))
        #expect(String(decoding: page.body, as: UTF8.self).contains("<p>&lt;script&gt;&#39;&quot;&amp;</p>"))
        #expect(page.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
    }

    @Test(arguments: [(1, 1), (1000, 1), (1001, 2), (0, 1), (600_000, 600)])
    func `rounds the time to wait up to whole seconds`(milliseconds: Int, seconds: Int) {
        let answer = Answer.error(.tooManyRequests(retryAfter: .milliseconds(milliseconds)), .json)
        #expect(answer.headers["Retry-After"] == String(seconds))
    }

    @Test func `says what to do about it where that was asked for, in both forms`() {
        let trace = RequestID.next()
        let style = ("https://tve.example.net/help/errors", trace) as ErrorStyle
        func text(_ error: WireError, _ format: WireFormat) -> String {
            String(decoding: Answer.error(error, format, style).body, as: UTF8.self)
        }
        let error = WireError(EntitlementError(.notAuthenticated), at: .metadata)
        #expect(
            text(error, .json) == #"{"action":"authentication","status":412,"code":"authentication_session_missing","#
                + #""message":"User not authenticated","helpUrl":"https://tve.example.net/help/errors","#
                + #""trace":"\#(trace)"}"#)
        #expect(
            text(error, .xml) == WireDocumentTests.declaration
                + "<error><action>authentication</action><status>412</status>"
                + "<code>authentication_session_missing</code><message>User not authenticated</message>"
                + "<helpUrl>https://tve.example.net/help/errors</helpUrl><trace>\(trace)</trace></error>")
    }

    @Test(
        "has the status and the code of its endpoint, whatever the domain calls it",
        arguments: [
            (EntitlementError.Code.internal, EndpointFamily.authorization, 500, "internal_error"),
            (.notAuthenticated, .authorization, 403, "authentication_session_missing"),
            (.notAuthenticated, .storedAuthorization, 412, "authentication_session_missing"),
            (.notAuthenticated, .mediaToken, 403, "authentication_session_missing"),
            (.notAuthenticated, .metadata, 412, "authentication_session_missing"),
            (.notAuthenticated, .preauthorization, 412, "preauthorization_authentication_session_missing"),
            (.authenticationExpired, .authorization, 403, "authentication_session_expired"),
            (.authenticationExpired, .storedAuthorization, 412, "authentication_session_expired"),
            (.authenticationExpired, .mediaToken, 403, "authentication_session_expired"),
            (.authenticationExpired, .metadata, 412, "authentication_session_expired"),
            (.authenticationExpired, .preauthorization, 412, "preauthorization_authentication_session_expired"),
            (.authenticationRevoked, .authorization, 403, "authentication_session_invalidated"),
            (.authorizationMissing, .storedAuthorization, 404, "authorization_not_found"),
            (.authorizationMissing, .mediaToken, 403, "authorization_not_found"),
            (.authorizationExpired, .storedAuthorization, 410, "authorization_expired"),
            (.authorizationExpired, .mediaToken, 403, "authorization_not_found"),
            (.tooManyResources, .preauthorization, 403, "too_many_resources"),
            (.notAuthorized, .authorization, 403, "authorization_denied_by_mvpd"),
            (.unknownRequestor, .registrationCode, 400, "invalid_requestor"),
            (.unknownProvider, .authentication, 400, "unknown_integration"),
            (.platformRefused, .authentication, 400, "authentication_session_issuer_mismatch"),
            (.codeUnknown, .registrationCode, 404, "invalid_registration_code"),
            (.storeUnavailable, .registrationCode, 503, "registration_code_service_unavailable"),
            (.storeUnavailable, .mediaToken, 503, "service_unavailable"),
            (.tooManyAttempts, .authentication, 429, "too_many_requests"),
        ])
    func mapping(cause: EntitlementError.Code, family: EndpointFamily, status: Int, code: String) {
        let error = WireError(EntitlementError(cause), at: family)
        #expect(error.status.code == status)
        #expect(error.code.rawValue == code)
    }

    @Test(arguments: [
        (Denial.provider, "authorization_denied_by_mvpd", "none"),
        (.trial, "authorization_denied_by_mvpd", "none"),
        (.programmer, "authorization_denied_by_programmer", "none"),
        (.parentalControls, "authorization_denied_by_parental_controls", "none"),
        (.network(timeout: false), "network_received_error", "retry"),
        (.network(timeout: true), "network_connection_timeout", "retry"),
    ])
    func `tells who refused a resource`(denial: Denial, code: String, action: String) {
        let error = WireError(
            EntitlementError(.notAuthorized, denial: denial, viewerMessage: "No."), at: .authorization)
        #expect(error.status == .forbidden)
        #expect(error.message == "User not authorized")
        #expect(error.details == "No.")
        #expect(error.code.rawValue == code)
        #expect(error.code.action.rawValue == action)
    }
}
