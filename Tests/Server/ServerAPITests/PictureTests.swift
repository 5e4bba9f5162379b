import TestSupport
import Testing

@testable import ServerAPI

@Suite("A picture")
struct PictureTests {
    private static let limit = 4096

    @Test(
        "is what its first bytes are",
        arguments: [
            (SamplePicture.png(), .png, "image/png"), (SamplePicture.webP(), .webP, "image/webp"),
            (SamplePicture.svg(), .svg, "image/svg+xml"),
            (Array("<?xml version='1.0'?>".utf8) + SamplePicture.svg(), .svg, "image/svg+xml"),
        ] as [([UInt8], Picture.Kind, String)])
    func kinds(_ bytes: [UInt8], kind: Picture.Kind, type: String) throws {
        let picture = try Picture(bytes, atMost: Self.limit)
        #expect(picture.kind == kind && picture.contentType == type && picture.bytes == bytes)
        #expect(picture.path.wholeMatch(of: /\/logos\/[0-9a-f]{32}\.[a-z]{3,4}/) != nil)
        #expect(picture.path != (try Picture(bytes + [0x20], atMost: Self.limit).path), "it changes with the bytes")
    }

    @Test("is not longer than it may be, and none of another kind")
    func others() {
        func fault(_ bytes: [UInt8]) -> PictureFault? {
            thrown { () throws(PictureFault) in try Picture(bytes, atMost: Self.limit) }
        }
        #expect(fault(SamplePicture.png(more: Self.limit)) == .tooLong(limit: 4096))
        for bytes in [
            [], [0xFF, 0xD8, 0xFF, 0xE0], Array("GIF89a".utf8), Array("RIFF".utf8), Array("svg".utf8),
            Array("<svg".utf8) + [0xFF],
        ] as [[UInt8]] {
            #expect(fault(bytes) == .unknownKind)
        }
        #expect("\(PictureFault.tooLong(limit: 6144))" == "it has more than 6144 bytes")
    }
}
