import HTTPServer
import TestSupport
import Testing

@testable import ServerAPI

@Suite("The coding of an answer")
struct AcceptEncodingTests {
    /// The fields of a request, and what they wish for (RFC 9110 12.5.3).
    static let table: [([String], AcceptEncodingHeader.Wish)] = [
        // Nothing, or nothing we have.
        ([], .plain),
        ([""], .plain),
        ([" , ,"], .plain),
        (["br"], .plain),
        (["deflate, br, zstd"], .plain),
        (["identity"], .plain),
        (["identity;q=0"], .plain),
        (["gzipped"], .plain),
        (["g zip"], .plain),
        // Browsers, curl, libraries.
        (["gzip"], .smaller),
        (["gzip, deflate, br, zstd"], .smaller),
        (["deflate, gzip, br, zstd"], .smaller),
        (["GZIP"], .smaller),
        (["x-gzip"], .smaller),
        (["gzip;q=1.0, deflate;q=0.8, *;q=0.1"], .smaller),
        (["deflate , gzip\t;\tq=0.5"], .smaller),
        // Weights.
        (["gzip;q=0"], .plain),
        (["gzip;q=0.000"], .plain),
        (["gzip;q=0.001"], .smaller),
        (["gzip;Q=0.5"], .smaller),
        (["gzip;q=0.5, identity"], .plain),
        (["gzip;q=0.5, identity;q=0.501"], .plain),
        (["gzip;q=0.5, identity;q=0.5"], .smaller),
        (["identity;q=0.5, gzip"], .smaller),
        (["identity;q=0, gzip;q=0.1"], .gzip),
        (["identity;q=0, gzip;q=0"], .plain),
        // Anything else.
        (["*"], .smaller),
        (["*;q=0"], .plain),
        (["*;q=0, gzip"], .gzip),
        (["*, gzip;q=0"], .plain),
        (["*;q=0.5, identity"], .plain),
        (["*;q=0.5, identity;q=0"], .gzip),
        (["*;q=0.3, gzip;q=0.2"], .plain),
        // Malformed members count for nothing; others do.
        (["gzip;q="], .plain),
        (["gzip;q=2"], .plain),
        (["gzip;q=1.001"], .plain),
        (["gzip;q=0.0001"], .plain),
        (["gzip;q=-1"], .plain),
        (["gzip;q=.5"], .plain),
        (["gzip;level=9"], .plain),
        (["gzip;q=1;q=0"], .plain),
        ([";q=1"], .plain),
        (["gzip;q=x, x-gzip"], .smaller),
        // Several fields are one list; the first of a coding counts.
        (["br", "gzip"], .smaller),
        (["gzip;q=0", "gzip"], .plain),
        (["gzip", "gzip;q=0"], .smaller),
        // Bounded.
        ([String(repeating: "br,", count: 31) + "gzip"], .smaller),
        ([String(repeating: "br,", count: 32) + "gzip"], .plain),
    ]

    @Test("Is what the caller weighs highest, and none for callers that say nothing", arguments: table)
    func wish(_ fields: [String], _ expected: AcceptEncodingHeader.Wish) {
        #expect(AcceptEncodingHeader(fields).wish == expected)
    }

    @Test func `Is gzip for no caller who did not name it or everything, whatever its header`() {
        let corpus = Self.table.flatMap(\.0).filter { !$0.isEmpty && $0.utf8.count < 60 }
        var wishes: Set<AcceptEncodingHeader.Wish> = []
        for text in Mutations(of: corpus, count: 4_000, seed: 12) {
            let wish = AcceptEncodingHeader([text]).wish
            wishes.insert(wish)
            #expect(wish == AcceptEncodingHeader([text.uppercased()]).wish || !text.utf8.allSatisfy { $0 < 0x80 })
            #expect(wish == AcceptEncodingHeader([text, "br;q=0.1"]).wish)
            guard wish != .plain else { continue }
            #expect(text.lowercased().contains("gzip") || text.contains("*"))
            // What is acceptable stays so when it is refused afterwards, and not when it is refused before.
            #expect(AcceptEncodingHeader(["gzip;q=0, identity;q=0", text]).wish == .plain)
        }
        #expect(wishes == [.plain, .smaller, .gzip])
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", true), ("text/css; charset=utf-8", true), ("image/svg+xml", true),
        ("text/javascript; charset=utf-8", true), ("image/png", false), ("image/webp", false),
        ("application/json;charset=utf-8", false), ("application/xml;charset=utf-8", false),
    ])
    func `Is none for what is compressed already and for what programs read`(_ type: String, isCompressible: Bool) {
        #expect(AnswerCoding.isCompressible(type) == isCompressible)
        #expect(!AnswerCoding.isCompressible(nil))
    }

    private static func coded(_ size: Int, _ accepted: String, _ byte: UInt8? = nil) -> HTTPResponse? {
        guard let address = IPAddress("192.0.2.1") else { return nil }
        var generator = SeededGenerator(seed: 1)
        let bytes = (0..<size).map { _ in byte ?? UInt8.random(in: 0...255, using: &generator) }
        return AnswerCoding.coded(
            HTTPResponse(headers: ["Content-Type": "text/plain"], body: bytes),
            for: HTTPRequest(
                method: .get, target: "/", headers: ["Accept-Encoding": accepted], remoteAddress: address))
    }

    @Test("Is gzip where that is smaller, and for callers who refuse all else", arguments: [0, 1, 199, 200, 5_000])
    func sizes(_ size: Int) throws {
        let plain = try #require(Self.coded(size, "br", 0x61))
        #expect(plain.headers["Content-Encoding"] == nil && plain.body.count == size)
        let smaller = try #require(Self.coded(size, "gzip", 0x61))
        #expect((smaller.headers["Content-Encoding"] == "gzip") == (size >= 200))
        #expect(size < 200 || smaller.body.count < 60)
        let random = try #require(Self.coded(size, "gzip"))
        #expect(random.headers["Content-Encoding"] == nil && random.body.count == size)
        let forced = try #require(Self.coded(size, "gzip, identity;q=0"))
        #expect(forced.headers["Content-Encoding"] == "gzip" && forced.body.count > size)
    }

    @Test func `Is none for a page that would keep a processor busy`() throws {
        let limit = AnswerCoding.longestPage
        #expect(try #require(Self.coded(limit, "gzip", 0x61)).headers["Content-Encoding"] == "gzip")
        #expect(try #require(Self.coded(limit + 1, "gzip", 0x61)).headers["Content-Encoding"] == nil)
    }
}
