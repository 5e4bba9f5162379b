import Compression
import TestSupport
import Testing

@Suite("What the gzip encoder makes")
struct GzipEncoderTests {
    /// Texts of every kind and many sizes: nothing, one byte, the same again and again, chance, markup; around the sizes of
    /// windows.
    private static let texts: [[UInt8]] = {
        var generator = SeededGenerator(seed: 7)
        func chance(_ size: Int) -> [UInt8] { (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) } }
        let markup = Array(String(repeating: "<p class=\"lead\">A sentence of a page.</p>\n", count: 400).utf8)
        let sizes = [0, 1, 2, 257, 761, 762, 763, 1023, 16_122, 16_123, 32_768, 70_001]
        return sizes.map { chance($0) } + sizes.map { Array(markup.prefix($0)) }
            + [Array(repeating: 0, count: 300_000)]
    }()

    @Test("Is what gzip reads, on every level", arguments: [CompressionLevel.quick, .even, .small])
    func decoded(_ level: CompressionLevel) async throws {
        var members: [[UInt8]] = []
        for text in Self.texts {
            var encoder = try GzipEncoder(level, textsUpTo: text.count)
            members.append(try encoder.encode(text))
        }
        #expect(try await gunzipped(members) == Self.texts)
    }

    @Test func `Is the same from an encoder that is used again`() async throws {
        let longest = try #require(Self.texts.map(\.count).max())
        var encoder = try GzipEncoder(.even, textsUpTo: longest)
        var members: [[UInt8]] = []
        for text in Self.texts {
            let member = try encoder.encode(text)
            #expect(try encoder.encode(text) == member)
            members.append(member)
        }
        #expect(try await gunzipped(members) == Self.texts)
    }

    @Test("Is small where the text repeats itself, hardly longer where it does not, and says no time and no name")
    func size() throws {
        for text in Self.texts {
            var encoder = try GzipEncoder(.even, textsUpTo: text.count)
            let member = try encoder.encode(text)
            #expect(member.count <= text.count + 18 + 5 + text.count / 1000 + 12)
            // RFC 1952 2.3: the magic number, deflate, no flags, no time.
            #expect(Array(member.prefix(8)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
        }
        var encoder = try GzipEncoder(.small, textsUpTo: 300_000)
        #expect(try encoder.encode(Array(repeating: 0, count: 300_000)).count < 1_000)
    }

    @Test func `Is nothing for a text above the limit, and the next text is taken`() throws {
        var encoder = try GzipEncoder(.quick, textsUpTo: 10)
        #expect(throws: CompressionError.tooLong(limit: 10)) { try encoder.encode(Array(repeating: 1, count: 11)) }
        #expect(try encoder.encode(Array(repeating: 1, count: 10)).count > 18)
        #expect(throws: CompressionError.tooLong(limit: GzipEncoder.longestText)) {
            _ = try GzipEncoder(.quick, textsUpTo: GzipEncoder.longestText + 1)
        }
    }
}
