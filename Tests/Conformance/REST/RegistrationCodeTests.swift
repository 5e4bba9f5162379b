import Clientless
import Cryptography
import Entitlement
import HTTPClient
import HTTPServer
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("Registration codes on the wire", .wire, .timeLimit(.minutes(5)))
struct RegistrationCodeTests {
    @Test func `are created with all that was said, in both forms`() async throws {
        let body =
            "deviceId=dev-000123&deviceType=settop&deviceUser=JD&appId=2345&appVersion=2.0&mvpd=CableNova"
            + "&registrationURL=https://north-sport.example/activate&ttl=60&networkType=WIFI"
        let json = try await wire.signed(.post, "/reggie/v1/NORTHSPORT/regcode", body: body).expect(201)
        let id = try #require(json.value("id"))
        let code = try #require(json.value("code"))
        #expect(code.utf8.count == 7)
        #expect(
            json.text
                == #"{"id":"\#(id)","code":"\#(code)","requestor":"NORTHSPORT","mvpd":"CableNova","#
                + #""generated":1767225600000,"expires":1767225660000,"info":{"deviceId":"ZGV2LTAwMDEyMw==","#
                + #""deviceType":"settop","deviceUser":"JD","appId":"2345","appVersion":"2.0","#
                + #""registrationURL":"https://north-sport.example/activate"}}"#)
        #expect(json.headers["Content-Type"] == "application/json;charset=utf-8")
        #expect(json.headers["Cache-Control"] == "no-store")
        #expect(json.headers["Adobe-Request-Id"]?.utf8.count == 36)
        #expect(json.headers["Date"] != nil)

        let xml = try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(code.lowercased())").expect(200)
        #expect(xml.headers["Content-Type"] == "application/xml;charset=utf-8")
        #expect(
            xml.text
                == "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"
                + "<ns2:regcode xmlns:ns2=\"model.mvc.reggie.pass.adobe.com\"><id>\(id)</id><code>\(code)</code>"
                + "<requestor>NORTHSPORT</requestor><mvpd>CableNova</mvpd><generated>1767225600000</generated>"
                + "<expires>1767225660000</expires><info><deviceId>ZGV2LTAwMDEyMw==</deviceId>"
                + "<deviceType>settop</deviceType><deviceUser>JD</deviceUser><appId>2345</appId>"
                + "<appVersion>2.0</appVersion>"
                + "<registrationURL>https://north-sport.example/activate</registrationURL>"
                + "</info></ns2:regcode>")
    }

    @Test("come with a short address for a QR code where the page that takes them is the server's own")
    func shortAddress() async throws {
        for body in ["deviceId=d", "deviceId=d&registrationURL=https://tve.example.net/activate"] {
            let ours = try await wire.signed(.post, "/reggie/v1/NORTHSPORT/regcode", body: body)
            let code = try #require(ours.value("code"))
            #expect(ours.headers["Latchkey-Short-URL"] == "HTTPS://TVE.EXAMPLE.NET/G/\(code)")
        }
        try await wire.signed(
            .post, "/reggie/v1/NORTHSPORT/regcode",
            body: "deviceId=d&registrationURL=https://north-sport.example/activate"
        ).expect(201, headers: ["Latchkey-Short-URL": nil])
    }

    @Test func `leave out what was not said, each form in its way`() async throws {
        let json = try await wire.signed(.post, "/reggie/v1/NORTHSPORT/regcode.json", body: "deviceId=d")
        let code = try #require(json.value("code"))
        #expect(!json.text.contains("mvpd"))
        #expect(json.text.contains(#""info":{"deviceId":"ZA==","deviceType":null,"deviceUser":null,"appId":null,"#))
        #expect(json.text.contains(#""expires":1767227400000"#))
        let xml = try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(code).xml")
        #expect(xml.text.contains("<mvpd/><generated>"))
        #expect(
            xml.text.contains(
                "<info><deviceId>ZA==</deviceId>"
                    + "<registrationURL>https://tve.example.net/activate</registrationURL></info>"))
    }

    @Test func `name the page of the requestor, or the server's own, where the box named none`() async throws {
        for (requestor, page) in [
            (WireFixture.requestor, "https://tve.example.net/activate"),
            (WireFixture.sibling, "https://west-sport.example/tv"),
        ] {
            for body in ["deviceId=d", "deviceId=d&registrationURL="] {
                let created = try await wire.signed(
                    .post, "/reggie/v1/\(requestor)/regcode", body: body, requestor: requestor)
                #expect(created.value("registrationURL") == page)
                let code = try #require(created.value("code"))
                let read = try await wire.call(.get, "/reggie/v1/\(requestor)/regcode/\(code)")
                #expect(read.value("registrationURL") == page)
            }
        }
    }

    @Test(arguments: [
        ("//reggie/v1/NORTHSPORT/regcode?deviceId=d&ttl=60", "{}", "application/x-www-form-urlencoded"),
        ("/reggie/v1/NORTHSPORT/regcode/?deviceId=d&ttl=60", "", "application/x-www-form-urlencoded"),
        ("/reggie/v1/NORTHSPORT/regcode?deviceId=other&ttl=60", "deviceId=d", "application/x-www-form-urlencoded"),
        ("/reggie/v1/NORTHSPORT/regcode?ttl=60", #"{"deviceId":"d"}"#, "application/json"),
        ("/reggie/v1/NORTHSPORT/regcode?deviceId=d", #"{"ttl":60}"#, "application/json;charset=utf-8"),
        ("/reggie/v1/NORTHSPORT/regcode?deviceId=x&deviceId=d&ttl=5&ttl=60", "", "text/plain"),
        (
            "/reggie/v1/NORTHSPORT/regcode",
            "registrationURL=https://north-sport.example/activate page/&deviceId=d&ttl=60&_=1",
            "application/x-www-form-urlencoded"
        ),
        (
            "/reggie/v1/NORTHSPORT/regcode?ttl=60", "deviceId=d&ttl=60&&=&broken%zz=%",
            "application/x-www-form-urlencoded"
        ),
    ])
    func `are created however parameters arrive`(target: String, body: String, type: String) async throws {
        let answer = try await wire.signed(.post, target, as: "/regcode", headers: ["Content-Type": type], body: body)
            .expect(201)
        #expect(answer.text.contains(#""deviceId":"ZA==""#))
        #expect(answer.text.contains(#""expires":1767225660000"#))
    }

    @Test func `are XML with seven characters when nothing is asked`() async throws {
        let answer = try await wire.signed(
            .post, "/reggie/v1/NORTHSPORT/regcode", accept: "*/*",
            body: "deviceId=my box/1&registrationURL=http://x/y z"
        ).expect(201)
        #expect(answer.value("code")?.utf8.count == 7)
        #expect(answer.text.contains("<registrationURL>http://x/y z</registrationURL>"))
    }

    @Test(arguments: [
        ("deviceId=", "Required 'deviceId' is not present"), ("", "Required 'deviceId' is not present"),
        ("deviceId=d&ttl=0", "Invalid ttl"), ("deviceId=d&ttl=36001", "Invalid ttl"),
        ("deviceId=d&ttl=abc", "Invalid ttl"), ("deviceId=d&ttl=-5", "Invalid ttl"),
        ("deviceId=d&ttl=%2B5", "Invalid ttl"),
        ("deviceId=d&ttl=99999999999999999999", "Invalid ttl"), ("deviceId=d&ttl=1.5", "Invalid ttl"),
        ("deviceId=a%00b", "Invalid deviceId"), ("deviceId=a%0Ab", "Invalid deviceId"),
        ("deviceId=%C3", "Invalid deviceId"), ("deviceId=%FF%FE", "Invalid deviceId"),
        ("deviceId=" + String(repeating: "a", count: 513), "Invalid deviceId"),
        ("deviceId=d&appId=a%01", "Invalid appId"),
        ("deviceId=d&registrationURL=" + String(repeating: "a", count: 2049), "Invalid registrationURL"),
    ])
    func `answer bad requests as the table says`(body: String, message: String) async throws {
        try await wire.signed(.post, "/reggie/v1/NORTHSPORT/regcode", body: body).expect(400, message: message)
        let xml = try await wire.signed(.post, "/reggie/v1/NORTHSPORT/regcode.xml", body: body)
        #expect(
            xml.text == "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"
                + "<error><status>400</status><message>\(message)</message></error>")
    }

    @Test(
        "last as long as was asked, by default half an hour, with a box's credential an hour at most",
        arguments: [("", 1800), ("1", 1), ("3600", 3600), ("36000", 3600)])
    func lifetimes(ttl: String, seconds: Int64) async throws {
        let answer = try await wire.signed(.post, "/reggie/v1/NORTHSPORT/regcode", body: "deviceId=d&ttl=\(ttl)")
        #expect(answer.text.contains("\"expires\":\(TestClock.start.milliseconds + seconds * 1000)"))
    }

    @Test(
        "are for requestors that exist and that the key may speak for",
        arguments: [
            ("NOBODY", 400, "Invalid requestor"), ("NORTH%20SPORT", 400, "Invalid requestor"),
            ("EASTSPORT", 403, "Forbidden"),
            ("northsport", 400, "Invalid requestor"), ("WESTSPORT", 201, ""),
        ])
    func requestors(name: String, status: Int, message: String) async throws {
        let answer = try await wire.signed(.post, "/reggie/v1/\(name)/regcode", as: "/regcode", body: "deviceId=d")
            .expect(status)
        if status != 201 { #expect(answer.text == #"{"status":\#(status),"message":"\#(message)"}"#) }
    }

    @Test func `do not name the device any more once they did their work`() async throws {
        let code = try await wire.signedInDevice()
        let read = try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(code).json")
        #expect(read.status == 200 && read.value("deviceId") != Base64.encode("box-1".utf8))
    }

    @Test func `describe a box by its request where it says nothing of itself`() async throws {
        let agent = String(repeating: "é", count: 200)
        let answer = try await wire.call(
            .post, "/reggie/v1/NORTHSPORT/regcode.json",
            headers: [
                "Authorization": wire.signature("POST", "/reggie/v1/NORTHSPORT/regcode"), "User-Agent": agent,
            ], body: "deviceId=d"
        ).expect(201)
        let information = try #require(answer.value("deviceInfo").flatMap { Base64.decode($0) })
        let kept = String(repeating: "é", count: 128)
        #expect(String(decoding: information, as: UTF8.self).contains(#""originalUserAgent":"\#(kept)""#))
        #expect(answer.value("userAgent") == kept)
    }

    @Test(.wire(settings: { $0.trustedProxies = [IPAddress("127.0.0.1")!] }))
    func `tell a box's port where it calls itself, and none where a proxy does`() async throws {
        for (forwarded, isKnown) in [(nil, true), ("203.0.113.7", false)] {
            var headers: HTTPClient.Headers = ["User-Agent": "hc/1.2"]
            if let forwarded { headers.append("X-Forwarded-For", forwarded) }
            let answer = try await wire.signed(
                .post, "/reggie/v1/NORTHSPORT/regcode", headers: headers, body: "deviceId=d")
            let information = try #require(answer.value("deviceInfo").flatMap { Base64.decode($0) })
            let text = String(decoding: information, as: UTF8.self)
            #expect((text.firstMatch(of: /"port":"[1-9][0-9]{0,4}"/) != nil) == isKnown, "\(text)")
            #expect(text.contains(#""port":"Unknown""#) != isKnown)
        }
    }

    @Test func `return the preselected provider as it came, also one that the viewer cannot pick`() async throws {
        let answer = try await wire.signed(.post, "/reggie/v1/NORTHSPORT/regcode", body: "deviceId=d&mvpd=NoSuch")
        #expect(answer.status == 201 && answer.value("mvpd") == "NoSuch")
        let code = try #require(answer.value("code"))
        #expect(try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(code).json").value("mvpd") == "NoSuch")
        let empty = try await wire.signed(.post, "/reggie/v1/NORTHSPORT/regcode", body: "deviceId=d&mvpd=")
        #expect(empty.status == 201 && !empty.text.contains("mvpd"))
        let bad = try await wire.signed(.post, "/reggie/v1/NORTHSPORT/regcode", body: "deviceId=d&mvpd=a%20b")
        #expect(bad.status == 400 && bad.value("message") == "Invalid mvpd", "\(bad.text)")
    }

    @Test(arguments: [
        "%%%", "AAAA", "e30=", "not base64 at all", "eyJtb2RlbCI6", String(repeating: "A", count: 12_000),
        Base64.encode(("{\"model\":" + String(repeating: "[", count: 12_000)).utf8),
        Base64.encode((String(repeating: "{\"a\":", count: 2000) + "1" + String(repeating: "}", count: 2000)).utf8),
        Base64.encode(#"{"model":5,"version":null,"manufacturer":[],"osName":{},"deviceName":true}"#.utf8),
        Base64.encode(#"{"displayWidth":1e400,"displayHeight":-99999999999999999999,"model":"\ud800"}"#.utf8),
        Base64.encode("[1]".utf8), Base64.encode([0xFF, 0xFE, 0x7B, 0x7D]),
    ])
    func `tell the box from its client information, and survive any that is broken`(value: String) async throws {
        try await wire.signed(
            .post, "/reggie/v1/NORTHSPORT/regcode", headers: ["X-Device-Info": value], body: "deviceId=d"
        ).expect(201)
    }

    @Test func `return client information, agent and application of those who have them`() async throws {
        let information = Base64.encode(
            #"{"model":"HC-100","manufacturer":"Headless Co","osName":"Linux","deviceName":"Living room"}"#.utf8)
        let token = try await wire.accessToken()
        let answer = try await wire.call(
            .post, "/reggie/v1/NORTHSPORT/regcode.json?deviceId=d",
            headers: [
                "Authorization": "Bearer \(token)", "X-Device-Info": information, "User-Agent": "hc/1.2",
            ]
        ).expect(201)
        #expect(answer.value("userAgent") == "hc/1.2")
        #expect(answer.value("originalUserAgent") == "hc/1.2")
        #expect(answer.value("deviceInfo").flatMap { Base64.decode($0) } != nil)
        #expect(
            answer.text.hasSuffix(
                #""authorizationType":"OAUTH2","sourceApplicationInformation":{"id":"\#(WireFixture.application)","#
                    + #""name":"Demo Player","version":"1.2.0"}}}"#))
        let code = try #require(answer.value("code").flatMap { RegistrationCodeText($0) })
        let record = try #require(await wire.store.code(code))
        #expect(record.box.name == "Living room")
        #expect(record.box.model == "Headless Co HC-100")
        #expect(record.box.software == "Linux")
        #expect(record.box.address == "127.0.0.1")
    }

    @Test func `are not there for strangers, other requestors, or after their time`() async throws {
        let code = try await wire.code()
        let notFound = #"{"status":404,"message":"Not Found"}"#
        for target in [
            "/reggie/v1/NORTHSPORT/regcode/BCDFGHJ.json", "/reggie/v1/WESTSPORT/regcode/\(code).json",
            "/reggie/v1/NOBODY/regcode/\(code).json", "/reggie/v1/NORTHSPORT/regcode/%C3.json",
        ] {
            try await wire.call(.get, target).expect(404, notFound)
        }
        #expect(try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(code).json").status == 200)
        wire.clock.advance(by: .seconds(1800))
        #expect(try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(code).json").status == 404)
    }

    @Test func `hide the device of strict requestors from pages`() async throws {
        let created = try await wire.signed(
            .post, "/reggie/v1/SOUTHSPORT/regcode", headers: ["User-Agent": "hc/1.2"],
            body: "deviceId=dev-000123&deviceUser=somebody", requestor: WireFixture.strict)
        #expect(created.value("deviceId") == "ZGV2LTAwMDEyMw==")
        let code = try #require(created.value("code"))
        let read = try await wire.call(.get, "/reggie/v1/SOUTHSPORT/regcode/\(code).json").expect(200)
        #expect(read.value("deviceId") == Base64.encode(try #require(created.value("id")).utf8))
        #expect(!read.text.contains("hc/1.2"))
        #expect(!read.text.contains("somebody"))
    }

    @Test(arguments: [
        "/reggie/v1/NORTHSPORT/regcode/", "/reggie/v1/regcode/",
    ])
    func `are deleted as often as one likes, with the requestor in the path or not`(prefix: String) async throws {
        let code = try await wire.code()
        for _ in 0..<2 {
            try await wire.signed(.delete, prefix + code + ".json").expect(204, "", headers: ["Content-Type": nil])
            #expect(try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(code)").status == 404)
        }
        #expect(try await wire.signed(.delete, prefix + "nonsense").status == 204)
        #expect(try await wire.call(.delete, prefix + code).status == 401)
    }

    @Test func `are not deleted by another requestor's key`() async throws {
        let code = try await wire.code()
        let signature = wire.signature(
            "DELETE", "/regcode/\(code)", requestor: "EASTSPORT", keyPair: WireFixture.foreignKeyPair)
        let headers: [String] = ["/reggie/v1/regcode/\(code)", "/reggie/v1/NORTHSPORT/regcode/\(code)"]
        var statuses: [Int] = []
        for target in headers {
            statuses.append(try await wire.call(.delete, target, headers: ["Authorization": signature]).status)
        }
        #expect(statuses == [204, 403])
        #expect(try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(code)").status == 200)
    }

    @Test func `stay at ten for one device; the oldest goes`() async throws {
        var codes: [String] = []
        for _ in 0..<11 { codes.append(try await wire.code()) }
        #expect(try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(codes[0])").status == 404)
        #expect(try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(codes[1])").status == 200)
    }
}
