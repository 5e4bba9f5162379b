import TestSupport
import Testing

@testable import ServerAPI

@Suite("A picture that pages show")
struct PictureTests {
    private static let limit = 4096

    private static func fault(_ bytes: [UInt8]) -> PictureFault? {
        do throws(PictureFault) {
            _ = try Picture(bytes, atMost: self.limit)
            return nil
        } catch {
            return error
        }
    }

    private static func changed(_ bytes: [UInt8], at place: Int) -> [UInt8] {
        var copy = bytes
        copy[place] ^= 1
        return copy
    }

    @Test("is what its bytes are: PNG, WebP with and without losses, SVG; its size comes from its header")
    func kinds() throws {
        for (bytes, kind, type) in [
            (SamplePicture.png(width: 112, height: 33), .png, "image/png"),
            (SamplePicture.webP(width: 112, height: 33), .webP, "image/webp"),
            (SamplePicture.webP(width: 112, height: 33, flags: 0x10), .webP, "image/webp"),
            (SamplePicture.lossyWebP(width: 112, height: 33), .webP, "image/webp"),
            (SamplePicture.svg(attributes: #"width="112px" height="33""#), .svg, "image/svg+xml"),
            (SamplePicture.svg(attributes: #"viewBox="-1 -1 112,33""#), .svg, "image/svg+xml"),
        ] as [([UInt8], Picture.Kind, String)] {
            let picture = try Picture(bytes, atMost: Self.limit)
            #expect(picture.kind == kind && picture.contentType == type)
            #expect(picture.size == PictureSize(width: 112, height: 33))
            #expect(picture.size.isWide)
        }
        #expect(try Picture(SamplePicture.svg(attributes: ""), atMost: Self.limit).size.width == 300)
        #expect(try !Picture(SamplePicture.png(width: 33, height: 112), atMost: Self.limit).size.isWide)
    }

    @Test("has an address that changes with its bytes")
    func address() throws {
        let one = try Picture(SamplePicture.png(), atMost: Self.limit)
        let other = try Picture(SamplePicture.png(width: 111), atMost: Self.limit)
        #expect(one.path.wholeMatch(of: /\/logos\/[0-9a-f]{32}\.png/) != nil)
        #expect(one.path != other.path)
    }

    @Test("is complete, and ends where it ends", arguments: [SamplePicture.png(), SamplePicture.webP(flags: 0)])
    func whole(_ bytes: [UInt8]) {
        #expect(Self.fault(bytes) == nil)
        for length in 12..<bytes.count { #expect(Self.fault(Array(bytes.prefix(length))) == .damaged, "\(length)") }
        #expect(Self.fault(bytes + Array("<script>".utf8)) == .damaged)
    }

    @Test("is a PNG whose checksums are right, with one header that makes sense")
    func png() {
        let bytes = SamplePicture.png()
        for place in 8..<bytes.count { #expect(Self.fault(Self.changed(bytes, at: place)) != nil, "\(place)") }
        #expect(Self.fault(SamplePicture.png(more: [.init("IHDR", Array(repeating: 1, count: 13))])) == .damaged)
        #expect(Self.fault(SamplePicture.png(more: [.init("tEXt", Array("a".utf8))])) == nil)
    }

    @Test("does not move")
    func still() {
        #expect(Self.fault(SamplePicture.png(more: [.init("acTL", [0, 0, 0, 2, 0, 0, 0, 0])])) == .moves)
        #expect(Self.fault(SamplePicture.webP(flags: 0x02)) == .moves)
    }

    @Test(
        "has no more pixels than a phone unpacks, and two sides that a list can show",
        arguments: [
            (1, 1, nil), (1024, 1024, nil), (2048, 512, nil), (2049, 200, .tooManyPixels),
            (1025, 1024, .tooManyPixels), (160, 10, nil), (10, 160, nil),
            (161, 10, .tooLongASide(PictureSize(width: 161, height: 10))),
            (10, 161, .tooLongASide(PictureSize(width: 10, height: 161))),
        ] as [(Int, Int, PictureFault?)])
    func size(_ width: Int, height: Int, fault: PictureFault?) {
        #expect(Self.fault(SamplePicture.png(width: width, height: height)) == fault)
        #expect(Self.fault(SamplePicture.webP(width: width, height: height)) == fault)
        #expect(Self.fault(SamplePicture.lossyWebP(width: width, height: height)) == fault)
    }

    @Test("has two sides")
    func noSides() {
        #expect(Self.fault(SamplePicture.png(width: 0)) == .damaged)
        #expect(Self.fault(SamplePicture.lossyWebP(width: 0, height: 3)) == .damaged)
    }

    @Test("is not longer than it may be, and none of another kind")
    func others() {
        #expect(
            Self.fault(SamplePicture.png(more: [.init("tEXt", Array(repeating: 0, count: Self.limit))]))
                == .tooLong(limit: 4096))
        for bytes in [[], [0xFF, 0xD8, 0xFF, 0xE0], Array("GIF89a".utf8), Array("RIFF".utf8), Array("svg".utf8)]
            as [[UInt8]]
        {
            #expect(Self.fault(bytes) == .unknownKind)
        }
    }

    @Test("says in a sentence what is wrong with it")
    func sentences() {
        #expect("\(PictureFault.tooLong(limit: 6144))" == "it has more than 6144 bytes")
        #expect(
            "\(PictureFault.element("foreignObject"))" == "the drawing has 'foreignObject', which pages do not show")
    }
}
