import Entitlement
import HTTPServer
import Testing

@testable import ServerAPI

@Suite("An error on the wire")
struct WireErrorTests {
    private func text(_ error: WireError, _ format: WireFormat) -> String {
        String(decoding: Answer.error(error, format).body.bytes, as: UTF8.self)
    }

    @Test("has details only where its family has them, and XML leaves out empty ones")
    func details() {
        let error = WireError(.forbidden, "User not authorized", details: .text("<No>"))
        #expect(self.text(error, .json) == #"{"status":403,"message":"User not authorized","details":"<No>"}"#)
        #expect(
            self.text(error, .xml) == WireDocumentTests.declaration
                + "<error><status>403</status><message>User not authorized</message>"
                + "<details>&lt;No&gt;</details></error>"
        )
        let empty = WireError(.forbidden, "User not authorized", details: .text(nil))
        #expect(self.text(empty, .json) == #"{"status":403,"message":"User not authorized","details":null}"#)
        #expect(self.text(empty, .xml).hasSuffix("<message>User not authorized</message></error>"))
        #expect(self.text(.notFound, .json) == #"{"status":404,"message":"Not Found"}"#)
        #expect(self.text(.notFound.inAuthorizationFamily(), .json).hasSuffix(#","details":null}"#))
    }

    @Test("is a bare 500 when nobody knows it")
    func unknown() {
        let error = WireError(EntitlementError(.internal, viewerMessage: "secret", detail: "secret"))
        #expect(self.text(error, .json) == #"{"status":500,"message":"Internal Server Error"}"#)
    }

    @Test("is escaped in the page for people, which may load nothing")
    func page() {
        let page = Answer.page(WireError(.badRequest, "<script>'\"&"))
        #expect(String(decoding: page.body.bytes, as: UTF8.self).contains("<p>&lt;script&gt;&#39;&quot;&amp;</p>"))
        #expect(page.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
    }

    @Test(
        "rounds the time to wait up to whole seconds",
        arguments: [(1, 1), (1000, 1), (1001, 2), (0, 1), (600_000, 600)])
    func retryAfter(milliseconds: Int, seconds: Int) {
        let answer = Answer.error(.tooManyRequests(retryAfter: .milliseconds(milliseconds)), .json)
        #expect(answer.headers["Retry-After"] == String(seconds))
    }
}
