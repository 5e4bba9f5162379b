/// One file's heading in an archive of the format ustar (POSIX.1-2001, pax), as `tar` reads it.
struct TarBlock: Hashable {
    static let size = 512
    /// The most bytes of a file: what eleven octal digits say.
    static let maximumFileSize = (1 << 33) - 1

    let name: String
    let fileSize: Int

    /// - Returns: `nil` when the name or the size is beyond what the format has room for.
    init?(name: String, fileSize: Int) {
        guard (1...100).contains(name.utf8.count), !name.utf8.contains(0),
            (0...Self.maximumFileSize).contains(fileSize)
        else { return nil }
        self.name = name
        self.fileSize = fileSize
    }

    /// Reads a block.
    /// - Returns: `nil` when it is not what ``bytes`` makes, to the last bit.
    init?(reading block: [UInt8]) {
        guard block.count == Self.size, let size = Self.octal(block[124..<136]),
            let name = String(validating: block[0..<100].prefix { $0 != 0 }, as: UTF8.self)
        else { return nil }
        self.init(name: name, fileSize: size)
        guard self.bytes == block else { return nil }
    }

    /// The heading: mode 0600, owner root and time 0, so that one state gives one archive.
    var bytes: [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.size)
        func put(_ text: String, at offset: Int) {
            block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        put(self.name, at: 0)
        put("0000600", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(Self.digits(self.fileSize, 11), at: 124)
        put(Self.digits(0, 11), at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        put(Self.digits(Self.sum(of: block), 6), at: 148)
        block[154] = 0
        return block
    }

    /// The bytes of zero behind a file, up to a whole block.
    static func padding(behind fileSize: Int) -> Int { (Self.size - fileSize % Self.size) % Self.size }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
        let digits = field.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
        guard digits.count <= 11, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }
    }

    /// The sum of all bytes, those of the sum itself taken for spaces.
    private static func sum(of block: [UInt8]) -> Int {
        block.indices.reduce(0) { $0 + ((148..<156).contains($1) ? 32 : Int(block[$1])) }
    }
}
