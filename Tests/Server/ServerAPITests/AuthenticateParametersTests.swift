import HTTPServer
import Testing

@testable import ServerAPI

@Suite("The parameters of authenticate")
struct AuthenticateParametersTests {
    private func read(_ query: String) -> AuthenticateParameters {
        AuthenticateParameters(rawQuery: query, HTTPParameters(query))
    }

    @Test func `are read when the redirect is encoded`() {
        let parameters = self.read(
            "reg_code=ABC&requestor_id=R&redirect_url=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y%3D2&z=3")
        #expect(parameters["reg_code"] == "ABC")
        #expect(parameters["redirect_url"] == "https://a.example/?x=1&y=2")
    }

    @Test(arguments: [
        ("reg_code=A&redirect_url=https://a.example/?x=1&y=2", "https://a.example/?x=1&y=2"),
        ("redirect_url=https://a.example/?x=1&y=b%20c#d&reg_code=A", "https://a.example/?x=1&y=b%20c#d&reg_code=A"),
        ("reg_code=A&redirect_url=https://a.example/p", "https://a.example/p"),
        ("reg_code=A&redirect_url=https://a.example/p&noflash=true", "https://a.example/p"),
        ("reg_code=A&redirect_url=https://a.example/p&no_iframe=true&requestor_id=R", "https://a.example/p"),
        ("reg_code=A&redirect_url=hcplayer://in?x=1&y", "hcplayer://in?x=1&y"),
    ])
    func `take everything behind an unencoded redirect, up to the end`(query: String, redirect: String) {
        #expect(self.read(query)["redirect_url"] == redirect)
        #expect(self.read(query)["reg_code"] == "A")
    }

    @Test(arguments: [
        "requestor_id=R\u{AE}_code=ABC&mso_id=M&redirect_url=https%3A%2F%2Fa.example",
        "requestor_id=R%C2%AE_code=ABC&mso_id=M&redirect_url=https%3A%2F%2Fa.example",
        "mso_id=M&requestor_id=R%C2%AE_code=ABC&redirect_url=https%3A%2F%2Fa.example",
    ])
    func `find a code that an old browser glued to another value`(query: String) {
        let parameters = self.read(query)
        #expect(parameters["reg_code"] == "ABC")
        #expect(parameters["requestor_id"] == "R")
        #expect(parameters["mso_id"] == "M")
        #expect(parameters["redirect_url"] == "https://a.example")
    }

    @Test func `leave a code that is there alone`() {
        let parameters = self.read("reg_code=ABC&requestor_id=R%C2%AE_code=XYZ")
        #expect(parameters["reg_code"] == "ABC")
        #expect(parameters["requestor_id"] == "R\u{AE}_code=XYZ")
    }
}
