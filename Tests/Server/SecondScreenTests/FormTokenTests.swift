import Clientless
import Cryptography
import Testing

@Suite("The token of a form, page after page", .fixture)
struct FormTokenTests {
    private let browser = Browser(fixture)

    private static func token(of page: ShownPage) throws -> String {
        try #require(page.form("/activate")?.first { $0.0 == "form_token" }?.1)
    }

    /// What the page's token masks: its second half under its first.
    private static func unmasked(_ token: String) throws -> [UInt8] {
        let bytes = try #require(Base64.decodeURL(token))
        #expect(bytes.count == 64)
        return zip(bytes, bytes.dropFirst(32)).map { $0 ^ $1 }
    }

    @Test("Differs on each, is the same behind its mask, and is taken from each")
    func masked() async throws {
        let code = try await fixture.code()
        await browser.get("/activate")
        var tokens: [String] = []
        for _ in 0..<8 { tokens.append(try Self.token(of: await browser.get("/activate"))) }
        #expect(Set(tokens).count == tokens.count)
        #expect(Set(try tokens.map(Self.unmasked)).count == 1)
        for token in tokens {
            await browser.post("/activate", [("form_token", token), ("code", code.text)]).expect(303)
        }
    }

    @Test("Stands on no page as it is, nor half of it under the pad of another page")
    func hidden() async throws {
        await browser.get("/activate")
        let first = try Self.token(of: await browser.get("/activate"))
        let plain = Base64.encodeURL(try Self.unmasked(first))
        // Any four characters in a row of the hash, of the pad and of the masked hash.
        let known = Self.pieces(of: plain).union(Self.pieces(of: first))
        for _ in 0..<16 {
            let token = try Self.token(of: await browser.get("/activate"))
            #expect(Self.pieces(of: token).intersection(known).count <= 2)
        }
    }

    private static func pieces(of text: String) -> Set<Substring> {
        return Set(text.indices.dropLast(3).map { text[$0..<text.index($0, offsetBy: 4)] })
    }

    @Test("Is refused with any bit of it changed", arguments: [0, 7, 100, 255, 256, 300, 511])
    func tampered(_ bit: Int) async throws {
        let code = try await fixture.code()
        await browser.get("/activate")
        var bytes = try #require(Base64.decodeURL(try Self.token(of: browser.page)))
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        let token = Base64.encodeURL(bytes)
        #expect(await browser.post("/activate", [("form_token", token), ("code", code.text)]).status == 403)
    }

    @Test(arguments: [0, 31, 32, 43, 63]) func `Is refused in parts`(_ size: Int) async throws {
        let code = try await fixture.code()
        await browser.get("/activate")
        let bytes = try #require(Base64.decodeURL(try Self.token(of: browser.page)))
        let token = Base64.encodeURL(Array(bytes.prefix(size)))
        #expect(await browser.post("/activate", [("form_token", token), ("code", code.text)]).status == 403)
    }
}
