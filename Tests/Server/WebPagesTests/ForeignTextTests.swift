import ServerAPI
import Testing

@Suite("What a box calls itself is made fit to be read")
struct ForeignTextTests {
    @Test("A plain name stays as it is", arguments: ["Living room", "Wohnzimmer Süd", "居間", "غرفة", "👨‍👩‍👧 TV"])
    func plain(_ name: String) { #expect(ForeignText(name)?.text == name) }

    @Test func `Characters that turn the writing direction are taken out`() {
        #expect(ForeignText("Box \u{202E}drawkcab\u{202C} \u{2066}x\u{2069}\u{200F}")?.text == "Box drawkcab x")
    }

    @Test func `Line breaks and runs of blanks become one blank, and none at the ends`() {
        #expect(ForeignText("  a\n\r\n b\u{2028}\u{3000}c\t ")?.text == "a b c")
        for text in ["a  b", " a b", "a b ", "a b", "a\u{7F} b"] { #expect(ForeignText(text)?.text == "a b") }
    }

    @Test(arguments: ["", "   ", "\u{200B}\u{202E}", "\u{3164}", "\u{0}\u{7}", "\u{301}\u{302}"])
    func `A name without anything to read is none`(_ name: String) { #expect(ForeignText(name) == nil) }

    @Test func `A long name is cut, and says so`() {
        let cut = ForeignText(String(repeating: "x", count: 100_000))?.text
        #expect(cut == String(repeating: "x", count: 63) + "…")
        #expect(ForeignText(String(repeating: "x", count: 64))?.text.count == 64)
    }

    @Test func `Accents do not pile up`() {
        let tower = "e" + String(repeating: "\u{301}", count: 40) + "f"
        #expect(ForeignText(tower)?.text.unicodeScalars.count == 4)
    }
}
