/// One item of CBOR (RFC 8949) of the kinds that authenticators write: neither tags nor numbers with fractions.
enum CBORItem: Hashable, Sendable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case list([CBORItem])
    case map([CBORItem: CBORItem])
    case flag(Bool)
    case null

    /// The value of a map under an integer, which COSE has for names (RFC 8152 section 7).
    subscript(label: Int64) -> CBORItem? {
        if case .map(let entries) = self { entries[.integer(label)] } else { nil }
    }

    subscript(name: String) -> CBORItem? {
        if case .map(let entries) = self { entries[.text(name)] } else { nil }
    }

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
}

/// Reads CBOR as an authenticator sends it, and no more of it than that.
///
/// No library fits. libcbor reads only this part of WebAuthn, into a tree on the heap whose size the sender chooses,
/// and leaves COSE and authenticator data to its caller. libfido2 reads those, but brings the ways to USB, NFC and HID
/// devices into a server that has none. These few lines are the rest. CTAP2 writes definite lengths and nests four deep
/// (its section 8), so neither indefinite lengths nor tags are taken, depth and number of items are bounded, and no
/// length is believed beyond what is there. Lengths need not be the shortest: programs that keep passkeys are not all
/// strict about it, and nothing here depends on one form for each value.
struct CBORReader {
    struct Malformed: Error {}

    static let maximumDepth = 4
    /// A key has six entries; a statement of attestation some certificates.
    static let maximumItems = 128

    private let bytes: [UInt8]
    private(set) var position: Int
    private var items = 0

    init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// The item that is all of `bytes`.
    static func item(in bytes: [UInt8]) throws(Malformed) -> CBORItem {
        var reader = CBORReader(bytes)
        let item = try reader.item()
        guard reader.isAtEnd else { throw Malformed() }
        return item
    }

    var isAtEnd: Bool { self.position == self.bytes.count }

    /// Reads the next item, however much is behind it.
    mutating func item() throws(Malformed) -> CBORItem { try self.item(depth: 0) }

    private mutating func item(depth: Int) throws(Malformed) -> CBORItem {
        self.items += 1
        guard self.items <= Self.maximumItems else { throw Malformed() }
        let (type, argument) = try self.head()
        switch (type, argument) {
        case (0, _): return .integer(try self.magnitude(argument))
        case (1, _): return .integer(-1 - (try self.magnitude(argument)))
        case (2, _): return .bytes(Array(try self.take(argument)))
        case (3, _):
            guard let text = String(validating: try self.take(argument), as: UTF8.self) else { throw Malformed() }
            return .text(text)
        case (4, _):
            let count = try self.count(argument, depth: depth)
            var list: [CBORItem] = []
            for _ in 0..<count { list.append(try self.item(depth: depth + 1)) }
            return .list(list)
        case (5, _):
            let count = try self.count(argument, depth: depth)
            var map: [CBORItem: CBORItem] = [:]
            for _ in 0..<count {
                let key = try self.item(depth: depth + 1)
                let value = try self.item(depth: depth + 1)
                guard map.updateValue(value, forKey: key) == nil else { throw Malformed() }
            }
            return .map(map)
        case (7, 20): return .flag(false)
        case (7, 21): return .flag(true)
        case (7, 22): return .null
        default: throw Malformed()
        }
    }

    /// The first byte of an item and the number that follows it (RFC 8949 section 3).
    private mutating func head() throws(Malformed) -> (type: UInt8, argument: UInt64) {
        let first = try self.byte()
        let (type, info) = (first >> 5, first & 0x1F)
        switch info {
        case 0..<24: return (type, UInt64(info))
        // Behind the type 7 stand numbers with fractions.
        case 24...27 where type != 7:
            var argument: UInt64 = 0
            for _ in 0..<(1 << Int(info - 24)) { argument = argument << 8 | UInt64(try self.byte()) }
            return (type, argument)
        default: throw Malformed()
        }
    }

    private mutating func byte() throws(Malformed) -> UInt8 {
        guard self.position < self.bytes.count else { throw Malformed() }
        defer { self.position += 1 }
        return self.bytes[self.position]
    }

    private mutating func take(_ count: UInt64) throws(Malformed) -> ArraySlice<UInt8> {
        guard count <= UInt64(self.bytes.count - self.position) else { throw Malformed() }
        let end = self.position + Int(count)
        defer { self.position = end }
        return self.bytes[self.position..<end]
    }

    private func magnitude(_ argument: UInt64) throws(Malformed) -> Int64 {
        guard let value = Int64(exactly: argument) else { throw Malformed() }
        return value
    }

    /// How many items a list or map has; each takes a byte at least.
    private func count(_ argument: UInt64, depth: Int) throws(Malformed) -> Int {
        guard depth < Self.maximumDepth, argument <= UInt64(self.bytes.count - self.position) else { throw Malformed() }
        return Int(argument)
    }
}
