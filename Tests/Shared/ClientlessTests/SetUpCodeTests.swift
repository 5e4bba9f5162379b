import Clientless
import TestSupport
import Testing

@Suite("A set-up code")
struct SetUpCodeTests {
    @Test func `is read in any case, with spaces and hyphens, and shown in three groups`() throws {
        let code = try #require(SetUpCodeText("7kq4-m2xb cdfg\n"))
        #expect(code.text == "7KQ4M2XBCDFG" && code.grouped == "7KQ4-M2XB-CDFG")
        #expect(SetUpCodeText(code.grouped) == code)
        #expect("\(code)" == "<set-up code>" && String(reflecting: code) == "<set-up code>")
    }

    @Test(arguments: [
        "", "7KQ4M2XBCDF", "7KQ4M2XBCDFGH", "7KQ4M2XBCDFA", "7KQ4M2XBCDF1", "7KQ4M2XBCDFÄ",
        String(repeating: "-", count: 60) + "7KQ4M2XBCDFG",
    ])
    func `is nothing that no server issues`(_ text: String) { #expect(SetUpCodeText(text) == nil) }

    @Test func `has more than fifty bits of chance`() {
        var generator = SeededGenerator(seed: 7)
        let codes = (0..<1000).map { _ in SetUpCodeText.random(using: &generator) }
        #expect(Set(codes).count == 1000)
        #expect(Set(codes.flatMap { Array($0.text.utf8) }) == Set(RegistrationCodeText.alphabet))
        for code in codes { #expect(SetUpCodeText(code.text) == code) }
    }
}
