import RealPrograms
import Testing

extension BadInput {
    @Suite("Line ends and zero bytes in what is reflected")
    struct HeaderInjectionTests {
        /// As they are before they are percent-encoded, and encoded already.
        private static let tails = [
            "\r\nX-Injected: 1", "\nX-Injected: 1", "\rX-Injected: 1", "\r\n\r\nX-Injected", "\u{0}X-Injected: 1",
            "\u{85}X-Injected: 1", "\u{2028}X-Injected: 1", "嘊嘍X-Injected: 1", "%0D%0AX-Injected: 1",
            "\u{B}X-Injected: 1", "\u{C}X-Injected: 1", "\u{7F}X-Injected: 1", "\u{9B}31mX-Injected",
        ]

        private static func encoded(_ text: String) -> String { HTMLForm.urlEncoded(text) }

        /// A field of the caller's making, or a character that ends a line, is nowhere among the fields.
        private static func check(_ answer: RawAnswer, _ what: String) {
            #expect(answer.status < 500, "\(what): \(answer.summary)")
            for field in answer.fields {
                #expect(!field.name.contains("injected"), "\(what): \(field)")
                let controls = field.value.unicodeScalars.filter { $0.properties.generalCategory == .control }
                #expect(controls.isEmpty, "\(what): \(field)")
            }
        }

        @Test("A path, a parameter or a form makes no field", arguments: HeaderInjectionTests.tails)
        func parameters(tail: String) async throws {
            let (service, profile) = (own.service, own.service.profile)
            let code = try await Box(service).createCode()
            let evil = Self.encoded(tail)
            let requestor = profile.requestor
            let paths = [
                "/reggie/v1/\(requestor)\(evil)/regcode", "/reggie/v1/\(requestor)/regcode/\(code)\(evil)",
                "/api/v1/config/\(requestor)\(evil)", "/api/v1/checkauthn/\(code)\(evil)?requestor=\(requestor)",
                "/api/v1/authenticate/\(code)\(evil)?requestor=\(requestor)", "/\(evil)",
                "/activate?code=\(code)\(evil)",
                "/adobe-services/config/\(requestor)\(evil)", "/activate/\(evil)",
            ]
            for path in paths {
                for method in ["GET", "POST", "DELETE", "OPTIONS"] {
                    let signature = service.signature(method, "/x")
                    let answer = try await own.raw(method, path, fields: [("Authorization", signature)])
                    Self.check(answer, "\(method) \(path)")
                }
            }
            for name in [
                "requestor", "deviceId", "resource", "format", "mvpd", "registrationURL", "appId", "deviceUser",
                "deviceType", "device_info", "access_token", "ast", "generic_data", "ttl",
            ] {
                let form = "requestor=\(requestor)&deviceId=d&resource=r&\(name)=\(Self.encoded("x" + tail))"
                for endpoint in ["/api/v1/checkauthn", "/api/v1/authorize", "/reggie/v1/\(requestor)/regcode"] {
                    let signature = service.signature("POST", endpoint)
                    let fields = [
                        ("Authorization", signature), ("Content-Type", "application/x-www-form-urlencoded"),
                    ]
                    Self.check(try await own.raw("POST", endpoint, fields: fields, body: form), "\(endpoint) \(name)")
                    Self.check(try await own.raw("GET", "\(endpoint)?\(form)", fields: fields), "\(endpoint) \(name)")
                }
            }
            for name in ["reg_code", "requestor_id", "mso_id", "domain_name", "redirect_url"] {
                let login = Person.loginTarget(code, of: profile, requestor: requestor, mvpd: profile.mvpd)
                let value = name == "redirect_url" ? "https://demo.example/" : ""
                let answer = try await own.raw("GET", "\(login)&\(name)=\(Self.encoded(value + tail))")
                Self.check(answer, "authenticate \(name)")
                // What is left after an encoded line end is a part of the path, and may stay.
                #expect(answer.status == 400 || tail.hasPrefix("%"), "\(name): \(answer.summary)")
            }
        }

        @Test("A field makes no field, whatever byte it holds", arguments: [0x00, 0x01, 0x0B, 0x0D, 0x7F, 0x80, 0xFF])
        func fields(byte: UInt8) async throws {
            let profile = own.service.profile
            for name in [
                "Origin", "X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Accept", "Accept-Language",
                "User-Agent", "X-Device-Info", "Cookie", "Host", "Referer", "Adobe-Subject-Token", "Authorization",
                "Content-Type", "Prefer", "X-Request-ID", "AP-Device-Identifier",
            ] {
                let value = Array("https://demo.example".utf8) + [byte] + Array("X-Injected: 1".utf8)
                for path in ["/api/v1/config/\(profile.requestor)", "/api/v1/checkauthn", "/activate"] {
                    let answer = try await own.raw("GET", Array(path.utf8), fields: [(name, value)])
                    Self.check(answer, "\(name) with \(byte) on \(path)")
                }
            }
            #expect(try await own.isReady())
        }

        @Test func `An origin is repeated to its own page, and to nobody else`() async throws {
            let path = "/api/v1/config/\(own.service.profile.requestor)"
            let answer = try await own.raw("GET", path, fields: [("Origin", "https://page.invalid")])
            #expect(answer["access-control-allow-origin"] == "https://page.invalid")
            #expect(answer["vary"]?.contains("Origin") == true)
            #expect(try await own.raw("GET", path)["access-control-allow-origin"] == nil)
        }
    }
}
