import AccessEnabler
import Clientless
import FoundationEssentials
import Testing

@Suite("Values of the library")
struct ValueTests {
    @Test func `The device ID is the SHA-256 of constant, machine ID and scope, parted by NUL`() {
        // printf 'access-enabler-device\0…\0tv.example' | sha256sum
        let deviceID = DeviceIdentity.deviceID(machineID: "0123456789abcdef0123456789abcdef", scope: "tv.example")
        #expect(deviceID.text == "886af89a1c62169acb5bf57ba191f98ce8137caf6b494e6c837a8db5223613e7")
    }

    @Test(arguments: [
        ("0123456789abcdef0123456789abcdef\n", "0123456789abcdef0123456789abcdef"),
        ("0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcdef"),
        ("uninitialized\n", nil), ("", nil), ("00000000000000000000000000000000\n", nil),
        ("0123456789abcdef0123456789abcde", nil), ("0123456789abcdef0123456789abcdeg", nil),
    ])
    func `A machine ID is 32 hexadecimal digits that are not all zero`(text: String, expected: String?) {
        #expect(DeviceIdentity.machineID(in: text) == expected)
    }

    @Test(arguments: [
        ("https://tv.example/activate", "https://tv.example/activate?code=7KQ4M2X"),
        ("https://tv.example/a?lang=de", "https://tv.example/a?lang=de&code=7KQ4M2X"),
        ("https://tv.example/a#enter", "https://tv.example/a?code=7KQ4M2X#enter"),
        (nil, nil),
    ])
    func `The QR payload is the page's address with the code filled in`(url: String?, expected: String?) throws {
        let text = try #require(RegistrationCodeText("7kq-4m2x"))
        let expires = Timestamp(seconds: 1_800_000_000)
        let code = AccessEnabler.RegistrationCode(code: text, loginURL: url, expires: expires, at: expires)
        #expect(code.qrPayload == expected && code.grouped == "7KQ-4M2X")
        #expect(code.expires == Date(timeIntervalSince1970: 1_800_000_000))
        #expect("\(code)" == "<code>" && String(reflecting: code) == "<code>")
    }
}
