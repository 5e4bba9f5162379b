import HTTPClient
import Testing
import WireAnswers

extension BadInput {
    @Suite("Where a login may lead")
    struct RedirectMatrixTests {
        private static let foreignURLs = [
            // another host, also one that looks alike
            "https://evil.example/", "http://evil.example", "https://demo.example.evil.example/",
            "https://evildemo.example/", "https://demo.example-evil.example/", "https://example/", "https://127.0.0.1/",
            "https://2130706433/", "https://[::1]/", "https://0x7f000001/", "https://demo.exampl/",
            // the host is not where it seems
            "https://demo.example@evil.example/", "https://demo.example:80@evil.example/",
            "https://demo.example%40evil.example/", "https://user:secret@demo.example/",
            "https://evil.example#.demo.example", "https://evil.example?.demo.example",
            "https://evil.example/.demo.example", "https://evil.example;demo.example/",
            // backslashes, which browsers read as slashes
            "https://evil.example\\@demo.example/", "https://evil.example\\.demo.example/", "https:\\\\evil.example",
            "\\\\evil.example", "/\\evil.example", "https:/\\evil.example",
            // no scheme, or too few slashes, or too many
            "//evil.example/", "///evil.example", "https:evil.example", "https:/evil.example", "https:///evil.example",
            "/done", "done", "?done", "#done", "demo.example", "https://", "https:///", "https://:443/", "https://./",
            "://demo.example/", ":", "https", "https//demo.example/",
            // encoded once more
            "https%3A%2F%2Fevil.example", "%68ttps://evil.example", "https://demo%2Eexample/",
            "https://demo.example%2Eevil.example/", "https://demo.example%00.evil.example/", "%2F%2Fevil.example",
            // letters that are not what they look like
            "https://dеmo.example/", "https://démo.example/", "https://ｄｅｍｏ.example/", "https://demo。example/",
            "https://evil.example／.demo.example/", "https://evil.example\u{2044}.demo.example/",
            "https://demo.example\u{202E}/", "https://demo\u{AD}.example/",
            "https://demo.example\u{200B}.evil.example/",
            // ports and dots
            "https://demo.example:999999/", "https://demo.example:evil.example/", "https://demo.example:-1/",
            "https://demo.example./", "https://.demo.example/", "https://www..demo.example/",
            // what browsers drop or trim
            " https://evil.example/", "https://evil.example /", "ht\ttps://evil.example/", "https://evil\n.example/",
            "https://demo.example/\r\nX-Injected: 1", "\u{0}https://evil.example/", "https://demo.example/\u{0}",
            "\u{1}https://demo.example/", "https://demo.example/\u{7F}",
            // schemes that run something, or nobody registered
            "javascript:alert(1)", "JavaScript://demo.example/%0Aalert(1)", "data:text/html,x", "vbscript:x",
            "file:///etc/passwd", "blob:https://demo.example/x", "about:blank", "ftp://demo.example/", "evil://x",
            "view-source:https://demo.example/", "1https://demo.example/", "https+x://demo.example/",
        ]

        private static let ownURLs = [
            "https://demo.example", "https://demo.example/", "http://demo.example/done", "https://www.demo.example/a/b",
            "HTTPS://DEMO.example/", "https://WWW.Demo.Example:8443/done", "http://localhost:3000/done",
            "https://demo.example//evil.example/", "https://demo.example/?next=https://evil.example/",
            "https://demo.example/#@evil.example", "https://demo.example?a=@evil.example",
            "https://a.b.c.demo.example/",
            "https://demo.example/caf%C3%A9",
        ]

        private func answer(_ redirectURL: String, extra: String = "") async throws -> HTTPClient.Response {
            let code = try await Box(service).createCode()
            let target = Person.loginTarget(
                code, of: service.profile, requestor: service.profile.requestor, mvpd: service.profile.mvpd,
                redirectURL: redirectURL)
            return try await service.send(.get, target + extra)
        }

        @Test("is nowhere but where the operator said", arguments: RedirectMatrixTests.foreignURLs)
        func foreign(url: String) async throws {
            let answer = try await self.answer(url).expect(400, headers: ["Location": nil, "Set-Cookie": nil])
            #expect(!answer.text.contains("evil"), "the answer does not repeat it")
        }

        @Test(arguments: RedirectMatrixTests.ownURLs) func `is wherever the operator said`(url: String) async throws {
            try await self.answer(url).expect(302)
        }

        @Test func `is a URL of at most 4096 bytes`() async throws {
            let url = "https://demo.example/"
            let filler = String(repeating: "a", count: 4096 - url.utf8.count)
            #expect(try await self.answer(url + filler).status == 302)
            #expect(try await self.answer(url + filler + "a").status == 400)
        }

        @Test func `is decided by the last of several, and by what is not encoded as well`() async throws {
            let (good, evil) = ("https%3A%2F%2Fdemo.example%2F", "https%3A%2F%2Fevil.example%2F")
            #expect(try await self.answer("https://demo.example/", extra: "&redirect_url=\(evil)").status == 400)
            #expect(try await self.answer("https://evil.example/", extra: "&redirect_url=\(good)").status == 302)
            let profile = service.profile
            for (tail, status) in [
                ("https://evil.example/?a=b&c=https://demo.example/", 400),
                ("https://demo.example/?a=b&c=https://evil.example/", 302), ("//evil.example/&x=://demo.example", 400),
            ] {
                let code = try await Box(service).createCode()
                let login = query([
                    "reg_code": code, "requestor_id": profile.requestor, "mso_id": profile.mvpd,
                    "domain_name": profile.domain,
                ])
                let answer = try await service.send(.get, "/api/v1/authenticate?\(login)&redirect_url=\(tail)")
                #expect(answer.status == status, "\(tail): \(answer.summary)")
            }
        }

        @Test("is not said by domain_name", arguments: ["evil.example", "www.demo.example", "demo.example.", "*", "."])
        func domain(name: String) async throws {
            try await self.answer("https://demo.example/", extra: "&domain_name=\(name)").expect(400)
        }
    }
}
