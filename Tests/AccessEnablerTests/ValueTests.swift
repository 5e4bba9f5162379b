import AccessEnabler
import Clientless
import FoundationEssentials
import TestSupport
import Testing

@Suite("Values of the library")
struct ValueTests {
    @Test("The device ID is the SHA-256 of constant, machine ID and scope, parted by NUL")
    func deviceID() {
        // printf 'access-enabler-device\0…\0tv.example' | sha256sum
        let deviceID = DeviceIdentity.deviceID(machineID: "0123456789abcdef0123456789abcdef", scope: "tv.example")
        #expect(deviceID.text == "886af89a1c62169acb5bf57ba191f98ce8137caf6b494e6c837a8db5223613e7")
    }

    @Test(
        "A machine ID is 32 hexadecimal digits that are not all zero",
        arguments: [
            ("0123456789abcdef0123456789abcdef\n", "0123456789abcdef0123456789abcdef"),
            ("0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcdef"),
            ("uninitialized\n", nil), ("", nil), ("00000000000000000000000000000000\n", nil),
            ("0123456789abcdef0123456789abcde", nil), ("0123456789abcdef0123456789abcdeg", nil),
        ])
    func machineID(text: String, expected: String?) {
        #expect(DeviceIdentity.machineID(in: text) == expected)
    }

    @Test("A box without a machine ID gets one that stays")
    func noMachineID() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        for _ in 0..<2 {
            _ = try await box.enabler { $0.machineIDFile = "/nonexistent" }.account()
        }
        let targets = service.requests.filter { $0.path == "/api/v1/tokens/authn" }.map(\.target)
        #expect(targets.count == 2 && targets[0] == targets[1])
        #expect(!targets[0].contains(DeviceIdentity.deviceID(machineID: TestBox.machineID, scope: "test").text))
    }

    @Test(
        "The QR payload is the page's address with the code filled in",
        arguments: [
            ("https://tv.example/activate", "https://tv.example/activate?code=7KQ4M2X"),
            ("https://tv.example/a?lang=de", "https://tv.example/a?lang=de&code=7KQ4M2X"),
            ("https://tv.example/a#enter", "https://tv.example/a?code=7KQ4M2X#enter"),
            (nil, nil),
        ])
    func qrPayload(url: String?, expected: String?) throws {
        let text = try #require(RegistrationCodeText("7kq-4m2x"))
        let code = RegistrationCode(code: text, loginURL: url, expires: Timestamp(seconds: 1_800_000_000))
        #expect(code.qrPayload == expected && code.grouped == "7KQ-4M2X")
        #expect(code.expires == Date(timeIntervalSince1970: 1_800_000_000))
        #expect("\(code)" == "<code>" && String(reflecting: code) == "<code>")
    }

    @Test(
        "A page that no phone should open is not put into a QR code",
        arguments: [
            "javascript:alert(1)", "ftp://tv.example/", "https://tv.example/a b", "",
        ])
    func hostilePage(url: String) async throws {
        var behaviour = ScriptedService.Behaviour()
        behaviour.registrationURL = url
        let service = try ScriptedService(behaviour)
        service.setCodeState("declined")
        let log = ProgressLog()
        let enabler = try await TestBox(service.url).enabler()
        async let end = enabler.signIn { log.record($0) }
        #expect(await log.shown.next()?.loginURL == nil)
        #expect(try await end == .declined)
    }

    @Test("A page of the box's own choice is sent along")
    func ownPage() async throws {
        let service = try ScriptedService()
        service.setCodeState("declined")
        let enabler = try await TestBox(service.url).enabler {
            $0.activationURL = "https://tv.example/activate"
            $0.codeLifetime = .seconds(600)
        }
        #expect(try await enabler.signIn { _ in } == .declined)
        let body = service.requests.first { $0.path.hasSuffix("/regcode") }?.text
        #expect(body?.hasSuffix("&ttl=600&registrationURL=https%3A%2F%2Ftv.example%2Factivate") == true)
    }

    @Test("A requestor ID that cannot be one fails the configuration with CFG400")
    func requestorID() async throws {
        let enabler = try await TestBox("http://127.0.0.1:1").enabler()
        let failure = await #expect(throws: ConfigurationFailure.self) {
            try await enabler.configure(requestorID: "NORTH/SPORT")
        }
        #expect(failure?.status?.errorID == "CFG400")
    }
}
