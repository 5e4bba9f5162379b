import Clientless
import Cryptography
import TestSupport
import Testing

@Suite("Client information")
struct DeviceInformationTests {
    struct Vector: Decodable { let json, encoded, normalised: String }

    @Test func `of the specification is read and written byte for byte`() throws {
        let vector = try Vectors.load("device-information", as: Vector.self)
        let information = try #require(DeviceInformation(decoding: vector.encoded))
        #expect(information.primaryHardwareType == .setTopBox)
        #expect(information.connectionSecure == true)
        #expect(information.osVendor == nil)
        #expect(information.json == vector.json)
        #expect(information.encoded == vector.encoded)
    }

    @Test func `is completed from the request in the normalised form`() throws {
        let vector = try Vectors.load("device-information", as: Vector.self)
        let form = NormalisedDeviceInformation(
            try #require(DeviceInformation(decoding: vector.encoded)), userAgent: "hc/1.2"
        ).base64(address: "192.0.2.10", port: 40112, isSecure: false)
        #expect(Base64.decode(form) == Array(vector.normalised.utf8))
        let empty = NormalisedDeviceInformation(DeviceInformation(), userAgent: nil)
        #expect(self.json(of: empty).hasPrefix(#"{"type":"Unknown","model":"Unknown","version":{"major":0,"#))
        #expect(self.json(of: empty).contains(#""secure":true"#))
    }

    private func json(of form: NormalisedDeviceInformation) -> String {
        String(decoding: Base64.decode(form.base64(address: nil, port: nil, isSecure: true)) ?? [], as: UTF8.self)
    }

    @Test func `in its long form knows the words of the closed lists alone`() {
        var information = DeviceInformation()
        (information.osName, information.osFamily, information.osVendor) = ("Debian", "Linux", "Nobody")
        (information.browserName, information.browserVendor) = ("Lynx", "Mozilla")
        information.model = "Any"
        let form = self.json(of: NormalisedDeviceInformation(information, userAgent: nil))
        #expect(form.contains(#""operatingSystem":{"name":"Unknown","family":"Linux","vendor":"Unknown","version""#))
        #expect(form.contains(#""browser":{"name":"Unknown","vendor":"Mozilla","version""#))
        #expect(form.contains(#""model":"Any""#))
    }

    @Test func `is read as headers, queries and forms carry it`() throws {
        // "?>" and "~~" make both symbols that the alphabets differ in.
        let json = #"{"model":"??>>~~\u00ff","version":"1"}"#
        let standard = Base64.encode(json.utf8)
        #expect(standard.contains("/") && standard.contains("+") && standard.hasSuffix("="))
        let url = Base64.encodeURL(json.utf8)
        let percent = standard.replacing("+", with: "%2B").replacing("/", with: "%2f").replacing("=", with: "%3D")
        for value in [standard, url, percent, standard.replacing("+", with: " "), "  \(standard)\n"] {
            let information = DeviceInformation(decoding: value)
            #expect(information?.model == "??>>~~ÿ", "\(value)")
            #expect(information?.version == "1")
        }
    }

    @Test func `takes numbers as texts and texts as numbers, and leaves out what is of the wrong type`() throws {
        let information = try #require(
            Self.decode(
                #"{"primaryHardwareType":"Fridge","model":7,"version":null,"osName":["Linux"],"displayWidth":"1920","#
                    + #""displayHeight":1080,"displayPpi":-1,"diagonalScreenSize":"42.5","connectionSecure":"false","#
                    + #""connectionPort":40112,"vendor":true,"userAgent":"","type":"x","n":1,"b":true,"o":{"a":1},"z":null}"#
            ))
        #expect(information.primaryHardwareType == .unknown)
        #expect(information.model == "7")
        #expect(information.version == nil)
        #expect(information.osName == nil)
        #expect(information.displayWidth == 1920)
        #expect(information.displayHeight == 1080)
        #expect(information.displayPpi == nil)
        #expect(information.diagonalScreenSize == 42.5)
        #expect(information.connectionSecure == false)
        #expect(information.connectionPort == "40112")
        #expect(information.vendor == nil)
        #expect(information.userAgent == nil)
        #expect(information.foreign.map(\.name) == ["b", "n", "type", "z"])
        #expect(information.foreign.map(\.value) == [.boolean(true), .integer(1), .string("x"), .null])
        #expect(DeviceInformation(decoding: information.encoded) == information)
        #expect(try #require(Self.decode("{}")).primaryHardwareType == nil)
        #expect(try #require(Self.decode(#"{"displayWidth":1e300,"displayHeight":"nan"}"#)) == DeviceInformation())
    }

    @Test func `knows the whole closed list of hardware`() throws {
        #expect(PrimaryHardwareType.allCases.count == 18)
        for type in PrimaryHardwareType.allCases {
            #expect(Self.decode(#"{"primaryHardwareType":"\#(type.rawValue)"}"#)?.primaryHardwareType == type)
        }
    }

    @Test func `shows people no control characters, nothing invisible, and no more than 256 bytes`() throws {
        let information = try #require(
            Self.decode(
                #"{"model":"TV\u0000\u001b[31m\u202Eevil\u200b\n","osName":"\#(String(repeating: "ü", count: 200))","vendor":"\u0007"}"#
            ))
        #expect(information.model == "TV[31mevil")
        #expect(information.osName == String(repeating: "ü", count: 128))
        #expect(information.vendor == nil)
    }

    @Test func `keeps a bounded number of members it does not know`() throws {
        let members = (100..<140).map { #""x\#($0)":\#($0)"# }.joined(separator: ",")
        let information = try #require(Self.decode("{\(members),\"\(String(repeating: "n", count: 65))\":1}"))
        #expect(information.foreign.count == DeviceInformation.maximumForeignMembers)
        #expect(information.foreign.first?.name == "x100")
    }

    @Test(arguments: [
        "", " ", "*", "e30*", "%", "%e", "%zz", "e", Base64.encode("[]".utf8), Base64.encode("1".utf8),
        Base64.encode("{".utf8), Base64.encode("null".utf8), Base64.encode([0xFF, 0xFE]), "{}",
        Base64.encode(#"{"a":"\#(String(repeating: "n", count: 6200))"}"#.utf8),
        Base64.encode("{\((100..<165).map { #""x\#($0)":1"# }.joined(separator: ","))}".utf8),
        Base64.encode((#"{"a":"# + String(repeating: "[", count: 4000)).utf8),
    ])
    func `is ignored when it is not Base 64 of a JSON object, too long, or of more than 64 members`(_ value: String) {
        #expect(DeviceInformation(decoding: value) == nil)
    }

    @Test func `that was changed is bounded and displayable, or ignored`() throws {
        let vector = try Vectors.load("device-information", as: Vector.self)
        var (read, ignored) = (0, 0)
        let changedJSON = Mutations(of: [vector.json], count: 10_000, seed: 13).lazy.map { Base64.encode($0.utf8) }
        for value in Array(changedJSON) + Array(Mutations(of: [vector.encoded], count: 10_000, seed: 17)) {
            guard let information = DeviceInformation(decoding: value) else {
                ignored += 1
                continue
            }
            for text in [information.model, information.osName, information.applicationId, information.vendor] {
                #expect((text ?? "").utf8.count <= 256 && XMLText.canCarry(text ?? ""))
            }
            #expect(DeviceInformation(decoding: information.encoded) == information)
            read += 1
        }
        #expect(read > 100 && ignored > 100)
    }

    private static func decode(_ json: String) -> DeviceInformation? {
        DeviceInformation(decoding: Base64.encode(json.utf8))
    }
}

@Suite("A JSON value")
struct JSONValueTests {
    @Test func `is written without white space, in order, and escaped`() {
        let value = JSONValue.object([
            .init("b", .string("\"\\\n\u{1}/é")), .init("a", .integer(-1)), .init("d", .double(1.5)),
            .init("n", .double(.infinity)), .init("t", .boolean(true)), .init("o", .object([.init("x", .null)])),
        ])
        #expect(value.text == #"{"b":"\"\\\n\u0001/é","a":-1,"d":1.5,"n":null,"t":true,"o":{"x":null}}"#)
    }

    @Test(arguments: [
        (#" [1.0, -0, 1e2, 1.5, 9223372036854775808] "#, #"[1,0,100,1.5,9.223372036854776e+18]"#),
        (#"{"b":{"x":[]},"a":"\u00e9\"\\","":null}"#, #"{"b":{"x":[]},"a":"é\"\\","":null}"#),
        (#""text""#, #""text""#), (#"{"a":"","á":""}"#, #"{"a":"","á":""}"#),
    ])
    func `is read with its members in their order`(text: String, written: String) {
        #expect(JSONValue(reading: Array(text.utf8))?.text == written)
    }

    @Test(arguments: [
        #"{"a":[{"b":1,"b":1}]}"#, #"["\u0000"]"#, #"{"\u0000":1}"#, "[1e400]",
        "[\(String(repeating: "1", count: 65))]",
        "\(String(repeating: "[", count: 18))\(String(repeating: "]", count: 18))", "", "1 2",
    ])
    func `is nothing where two readers may disagree`(text: String) {
        #expect(JSONValue(reading: Array(text.utf8)) == nil)
    }

    @Test func `is nothing where it is no UTF-8 or has too many values`() {
        #expect(JSONValue(reading: [0x22, 0xC3, 0x28, 0x22]) == nil)
        #expect(JSONValue(reading: Array("[1,2]".utf8), count: 2) == nil)
        #expect(JSONValue(reading: Array("[1,2]".utf8), count: 3) == [1, 2])
    }
}
