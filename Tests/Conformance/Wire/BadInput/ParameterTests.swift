import Cryptography
import HTTPClient
import RealPrograms
import Testing
import WireAnswers

extension BadInput {
    @Suite("Parameters")
    struct ParameterTests {
        private let box = Box(own.service)

        /// The device ID in the record of a code that is created with these parameters.
        private func recordedDevice(query: String, body: String?) async throws -> String? {
            let path = "/reggie/v1/\(self.box.requestor)/regcode"
            let answer = try await own.service.send(
                .post, "\(path)?\(query)",
                headers: ["Accept": "application/json", "Authorization": own.service.signature("POST", path)],
                form: body)
            guard let info = try answer.json["info"]?["deviceId"]?.text else { return nil }
            return Base64.decode(info).map { String(decoding: $0, as: UTF8.self) }
        }

        @Test func `that are repeated count with their last value, and those of the body count most`() async throws {
            #expect(try await self.recordedDevice(query: "deviceId=a&deviceId=b", body: "") == "b")
            #expect(try await self.recordedDevice(query: "", body: "deviceId=a&deviceId=b&x=y") == "b")
            #expect(try await self.recordedDevice(query: "deviceId=a", body: "deviceId=b") == "b")
            #expect(try await self.recordedDevice(query: "deviceId=a", body: "{\"deviceId\":\"b\"}") == "a")
            #expect(try await self.recordedDevice(query: "deviceId=a&deviceId=", body: nil) == nil)
            #expect(try await self.recordedDevice(query: "%64eviceId=a", body: nil) == "a")
            #expect(try await self.recordedDevice(query: "deviceid=a", body: nil) == nil)
            #expect(try await self.recordedDevice(query: "&&=&a&deviceId=x=y%3Dz&%zz=%", body: nil) == "x=y=z")
        }

        @Test func `may not be repeated where an application registers`() async throws {
            for (path, form) in [
                ("/o/client/register", "software_statement=a&software_statement=a"),
                ("/o/client/token", "grant_type=client_credentials&client_id=a&client_id=a&client_secret=b"),
                ("/o/client/token?client_id=a", "grant_type=client_credentials&client_id=a&client_secret=b"),
            ] {
                let answer = try await own.service.send(.post, path, form: form).expect(400)
                #expect(try answer.json["error"] == "invalid_request", "\(path): \(answer.summary)")
            }
        }

        @Test(
            "that are not UTF-8, or hold control characters, name no device and no resource",
            arguments: [
                "%FF", "a%C3%28", "%C3", "%ED%A0%80", "%F4%90%80%80", "%C0%AF", "a%00b", "a%0Ab", "%7F", "%C2%85",
                "%1B%5B31m",
            ])
        func notUTF8(value: String) async throws {
            for parameters in ["deviceId=\(value)&resource=r", "deviceId=\(value)x"] {
                let path = "/api/v1/checkauthn"
                try await own.service.send(
                    .get, "\(path)?requestor=\(self.box.requestor)&\(parameters)",
                    headers: ["Authorization": own.service.signature("GET", path), "Accept": "application/json"]
                ).expect(400)
            }
            for path in ["/reggie/v1/\(value)/regcode", "/api/v1/config/\(value)"] {
                let answer = try await own.raw("GET", path)
                #expect((400...405).contains(answer.status), "\(path): \(answer.summary)")
            }
        }

        @Test func `that are bytes and not text make answers that are text all the same`() async throws {
            let path = "/reggie/v1/\(self.box.requestor)/regcode"
            let bytes: [UInt8] = [0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80]
            for format in ["json", "xml"] {
                let answer = try await own.raw(
                    "POST", Array("\(path)?format=\(format)".utf8),
                    fields: [
                        ("Authorization", Array(own.service.signature("POST", path).utf8)), ("User-Agent", bytes),
                        ("X-Device-Info", bytes), ("Content-Type", Array("application/x-www-form-urlencoded".utf8)),
                    ], body: Array("deviceId=d&deviceType=".utf8) + bytes)
                #expect(answer.status == 201 || answer.status == 400, "\(answer.summary)")
                if format == "json" { #expect(throws: Never.self) { try JSON(parsing: answer.body) } }
            }
            #expect(try await own.raw("GET", Array("/api/v1/config/".utf8) + bytes).status < 500)
        }

        @Test func `of a device ID of 512 bytes are taken, and of 513 not`() async throws {
            for (text, count, isTaken) in [("x", 512, true), ("x", 513, false), ("é", 256, true), ("é", 257, false)] {
                let device = String(repeating: text, count: count)
                try await Box(own.service, id: device).call("checkauthn").expect((isTaken ? 403 : 400))
            }
        }

        @Test func `of more than a request may have are refused, and the server goes on`() async throws {
            let path = "/api/v1/config/\(self.box.requestor)"
            for (count, isTaken) in [(30_000, true), (300_000, false)] {
                let answer = try? await own.raw("GET", "\(path)?x=\(String(repeating: "a", count: count))")
                if isTaken {
                    #expect(answer?.status == 200)
                } else {
                    #expect([nil, 414, 431].contains(answer?.status))
                }
                let many = try? await own.raw("GET", "\(path)?\(String(repeating: "a=b&", count: count / 4))")
                if isTaken { #expect(many?.status == 200) } else { #expect([nil, 414, 431].contains(many?.status)) }
            }
            // 16 KiB in one field and 24 KiB in all of them are a must (3.3).
            let field = String(repeating: "a", count: 16 * 1024)
            #expect(try await own.raw("GET", path, fields: [("Authorization", field)]).status == 200)
            let fields = (0..<6).map { ("X-Filler-\($0)", String(repeating: "a", count: 3800)) }
            #expect(try await own.raw("GET", path, fields: fields).status == 200)
            let flood = (0..<400).map { ("X-Filler-\($0)", String(repeating: "a", count: 4000)) }
            let answer = try? await own.raw("GET", path, fields: flood)
            #expect([nil, 413, 431].contains(answer?.status))
            #expect(try await own.isReady())
        }
    }
}
