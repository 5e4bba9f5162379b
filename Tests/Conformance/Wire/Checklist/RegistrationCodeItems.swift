import HTTPClient
import RealPrograms
import TestSupport
import Testing
import WireAnswers

extension Checklist {
    @Suite("Registration codes")
    struct RegistrationCodeItems {
        private let box = Box(service)

        @Test(
            "1. POST //reggie/v1/R/regcode with query parameters and the body {} is 201",
            arguments: ["application/x-www-form-urlencoded", "application/json", "application/json;charset=utf-8"])
        func parametersInTheQuery(contentType: String) async throws {
            let path = "/reggie/v1/\(service.profile.requestor)/regcode"
            let answer = try await service.send(
                .post, "/\(path)?\(query(["deviceId": self.box.id, "deviceType": "set-top box"]))&format=json",
                headers: ["Content-Type": contentType, "Authorization": service.signature("POST", path)],
                form: "{}"
            ).expect(201)
            #expect(try answer.json["info"]?["deviceType"] == "set-top box")
        }

        @Test("2. The same with an unencoded form body, no Accept and no format is 201 XML with a code of 7 characters")
        func oldestForm() async throws {
            let path = "/reggie/v1/\(service.profile.requestor)/regcode"
            let page = "https://\(service.profile.domain)/activate/a box"
            let body = "deviceId=\(self.box.id)&deviceType=set top/box&registrationURL=\(page)&_=1"
            let signature = service.signature("POST", "/regcode")
            // By curl, which can leave the header Accept out.
            let curl = try ChildProcess(
                "curl",
                [
                    "-sS", "--path-as-is", "-i", "-H", "Accept:", "-H", "Authorization: \(signature)", "--data-raw",
                    body, "\(service.url)/\(path)",
                ])
            let (end, output, talk) = await curl.run()
            #expect(end == .exited(0), "\(talk)")
            #expect(output.contains(#/^HTTP\/[0-9.]+ 201\b/#), "\(output)")
            #expect(output.lowercased().contains("content-type: application/xml;charset=utf-8"))
            // CR LF is one character of a text.
            let document = String(output.split(whereSeparator: \.isNewline).last ?? "")
            let declaration = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
            #expect(document.hasPrefix(declaration + "<ns2:regcode xmlns:ns2=\"model.mvc.reggie.pass.adobe.com\"><id>"))
            #expect(!document.contains(#/>\s+</#), "no white space between elements")
            let read = HTTPClient.Response(status: 201, body: Array(document.utf8))
            #expect(read.element("code")?.wholeMatch(of: #/[0-9A-Z]{7}/#) != nil, "\(document)")
            #expect(read.element("deviceType") == "set top/box")
            #expect(read.element("registrationURL") == page)
        }

        @Test("3. Accept: application/json, text/plain, */* is JSON, with numbers for generated and expires")
        func javaScript() async throws {
            let answer = try await self.box.creation(accept: "application/json, text/plain, */*").expect(
                201, headers: ["Content-Type": "application/json;charset=utf-8"])
            let record = try answer.json
            let generated = try #require(record["generated"]?.number)
            #expect(try #require(record["expires"]?.number) - generated == 1_800_000)
            #expect(generated > 1_600_000_000_000, "milliseconds")
        }

        @Test(arguments: ["36001", "0", "-1", "x", "1.5"])
        func `13. ttl=36001 is 400, and so is what is no number of seconds`(ttl: String) async throws {
            let answer = try await self.box.creation(["ttl": ttl]).expect(400)
            #expect(try answer.json["status"]?.number == 400)
        }

        @Test(
            "13. ttl= is 1800 s, and up to an hour it is what was asked for",
            arguments: [("", 1800.0), ("1", 1), ("3600", 3600), ("36000", 3600)])
        func life(ttl: String, seconds: Double) async throws {
            let record = try await self.box.creation(["ttl": ttl]).json
            let generated = try #require(record["generated"]?.number)
            #expect(record["expires"]?.number == generated + seconds * 1000)
        }
    }
}
