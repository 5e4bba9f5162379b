// Compression: texts become smaller on their way, as gzip (RFC 1952) over zlib. The only importer of CZlib.
//
// It leaves to its neighbours: which answers are compressed, for whom, and what that could give away (ServerAPI). It reads
// no compressed bytes: nothing that comes in is ever unfolded.

import CZlib

/// Makes gzip members (RFC 1952) of texts, one after the other; each is whole, and says neither a name nor a time.
///
/// It takes some hundred kilobytes while it lives, the less the shorter its texts are.
@safe
package struct GzipEncoder: ~Copyable {
    /// The longest text, in bytes.
    package static let longestText = 16 * 1024 * 1024

    /// zlib remembers where the stream lies, so it stays in one place.
    private let stream: UnsafeMutablePointer<z_stream>
    private let limit: Int

    /// - Parameter limit: the longest text it will take, in bytes, at most ``longestText``.
    /// - Throws: `tooLong` for a higher limit, `library` if there is no memory.
    package init(_ level: CompressionLevel, textsUpTo limit: Int) throws(CompressionError) {
        guard limit <= Self.longestText else { throw .tooLong(limit: Self.longestText) }
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        // "The fields zalloc, zfree and opaque must be initialized before by the caller" (zlib.h, deflateInit); 0 is
        // Z_NULL, with which zlib takes malloc.
        unsafe stream.initialize(to: z_stream())
        let code = unsafe czlib_start_gzip(stream, level.rawValue, Self.windowBits(for: limit))
        guard code == Z_OK else {
            unsafe stream.deallocate()
            throw .library(code: code)
        }
        unsafe self.stream = stream
        self.limit = limit
    }

    deinit {
        unsafe _ = deflateEnd(self.stream)
        unsafe self.stream.deallocate()
    }

    /// `text` as a gzip member.
    /// - Throws: `tooLong` for a text above the limit, `library` where zlib refuses; the next text is taken all the same.
    package mutating func encode(_ text: [UInt8]) throws(CompressionError) -> [UInt8] {
        guard text.count <= self.limit else { throw .tooLong(limit: self.limit) }
        let reset = unsafe deflateReset(self.stream)
        guard reset == Z_OK else { throw .library(code: reset) }
        // "deflateBound() … would be used to allocate an output buffer for deflation in a single pass" (zlib.h).
        let bound = Int(unsafe deflateBound(self.stream, UInt(text.count)))
        var code = Z_OK
        let encoded = unsafe text.withUnsafeBufferPointer { text in
            unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                // zlib only reads its input, although the type does not say so.
                unsafe self.stream.pointee.next_in = UnsafeMutablePointer(mutating: text.baseAddress)
                unsafe self.stream.pointee.avail_in = UInt32(text.count)
                unsafe self.stream.pointee.next_out = output.baseAddress
                unsafe self.stream.pointee.avail_out = UInt32(output.count)
                code = unsafe deflate(self.stream, Z_FINISH)
                unsafe count = output.count - Int(self.stream.pointee.avail_out)
                unsafe self.stream.pointee.next_in = nil
                unsafe self.stream.pointee.next_out = nil
            }
        }
        // "deflate must return Z_STREAM_END" where the output buffer is as large as deflateBound says.
        guard code == Z_STREAM_END else { throw .library(code: code) }
        return encoded
    }

    /// The smallest window that reaches back over a whole text. zlib looks up to 262 bytes ahead in it
    /// (MIN_LOOKAHEAD of deflate.h), and a window takes twice its size.
    private static func windowBits(for limit: Int) -> Int32 { (10...14).first { limit + 262 <= 1 << $0 } ?? 15 }
}

/// Why a text was not compressed.
package enum CompressionError: Error, Hashable, Sendable {
    /// It is longer than the encoder takes.
    case tooLong(limit: Int)
    /// zlib refused, with this code: `Z_MEM_ERROR` (-4) if there is no memory.
    case library(code: Int32)
}

extension CompressionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .library(let code): "zlib refused (\(code))"
        }
    }
}

/// How much work goes into making a text small: 1 is the least, 9 the most (zlib's own numbers).
package enum CompressionLevel: Int32, Sendable {
    case quick = 1
    /// For a text of some kilobytes that is sent once: nearly as small as it gets, in a fraction of the time.
    case even = 5
    /// For a text that is compressed once and sent again and again.
    case small = 9
}
