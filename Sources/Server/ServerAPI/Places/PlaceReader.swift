import HTTPServer

/// Reads a file of places (CSV, RFC 4180) from pieces of any size.
///
/// The first line names the columns (``PlaceColumns``). The rows of IPv4 follow one another in the order of their
/// addresses, and so do those of IPv6; none overlaps another. Empty lines and lines that begin with `#` are left out.
package struct PlaceReader: Sendable {
    /// The longest line, in bytes.
    package static let maximumLine = 2048
    package static let maximumLines = 20_000_000
    /// What is kept of a name, in bytes.
    static let maximumName = 128

    private var table = PlaceTable()
    private var columns: PlaceColumns?
    /// Where the rows so far end, of each family.
    private var (endOfV4, endOfV6): (IPAddress?, IPAddress?) = (nil, nil)
    private var line = 0
    /// The beginning of a line whose end has not come yet.
    private var rest: [UInt8] = []
    /// What the row before says of its place, and what that came to: neighbours are often alike.
    private var lastWords: [String] = []
    private var lastPlace: Place?

    package init() {}

    /// Takes the next piece of the file.
    /// - Throws: the first fault.
    package mutating func take(_ piece: [UInt8]) throws(PlaceFault) {
        var begin = piece.startIndex
        while let end = piece[begin...].firstIndex(of: UInt8(ascii: "\n")) {
            if self.rest.isEmpty {
                try self.takeLine(piece[begin..<end])
            } else {
                let line = self.rest + piece[begin..<end]
                self.rest = []
                try self.takeLine(line[...])
            }
            begin = end + 1
        }
        self.rest += piece[begin...]
        // More than a line can have need not be kept until its end comes.
        guard self.rest.count <= Self.maximumLine + 1 else {
            throw self.fault("has too many bytes", at: self.line + 1)
        }
    }

    /// Ends the file.
    /// - Throws: a fault of the last line, or when there is none.
    package mutating func finish() throws(PlaceFault) -> PlaceTable {
        if !self.rest.isEmpty { try self.takeLine(self.rest[...]) }
        guard self.columns != nil else { throw self.fault("is missing: the file is empty", at: 1) }
        var table = self.table
        self = PlaceReader()
        table.finish()
        return table
    }

    private mutating func takeLine(_ bytes: ArraySlice<UInt8>) throws(PlaceFault) {
        self.line += 1
        let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        guard let first = bytes.first, first != UInt8(ascii: "#") else { return }
        do throws(PlaceFault.Reason) {
            guard bytes.count <= Self.maximumLine else { throw "has too many bytes" }
            guard self.line <= Self.maximumLines else { throw "is more than this server keeps" }
            if let columns = self.columns {
                try self.takeRow(CSVLine(bytes), columns)
            } else {
                // Some programs begin a file with U+FEFF.
                let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
                let names = try CSVLine(isMarked ? bytes.dropFirst(3) : bytes)
                self.columns = try PlaceColumns(names.fields.indices.map { names.text($0) })
            }
        } catch {
            throw self.fault(error, at: self.line)
        }
    }

    private func fault(_ reason: PlaceFault.Reason, at line: Int) -> PlaceFault {
        PlaceFault(line: line, reason: reason)
    }

    private mutating func takeRow(_ row: CSVLine, _ columns: PlaceColumns) throws(PlaceFault.Reason) {
        let (start, end) = try Self.addresses(row, columns.addresses)
        let last = start.family == .v4 ? self.endOfV4 : self.endOfV6
        if let last {
            guard (last.high, last.low) < (start.high, start.low) else {
                throw "begins before a row above it ends; rows have to be in the order of their addresses"
            }
        }
        if start.family == .v4 { self.endOfV4 = end } else { self.endOfV6 = end }
        guard columns.country < row.fields.count else { throw "has no column country" }
        guard self.table.append(start, through: end, self.place(row, columns)) else {
            throw "names more places than this server keeps"
        }
    }

    /// `nil` where the row says that it is not known.
    private mutating func place(_ row: CSVLine, _ columns: PlaceColumns) -> Place? {
        let words = [columns.country, columns.countryName, columns.region, columns.city].map { column in
            column.map { $0 < row.fields.count ? row.text($0) : "" } ?? ""
        }
        guard words != self.lastWords else { return self.lastPlace }
        func known(_ word: String) -> String? {
            let name = Self.shortened(word)
            return ["", "-", "ZZ"].contains(name) ? nil : name
        }
        self.lastWords = words
        self.lastPlace = known(words[0]).map {
            Place(country: $0, countryName: known(words[1]), town: known(words[3]) ?? known(words[2]))
        }
        return self.lastPlace
    }

    /// As many whole characters of `word` as a place keeps.
    private static func shortened(_ word: String) -> String {
        guard word.utf8.count > Self.maximumName else { return word }
        var size = 0
        return String(
            word.prefix { character in
                size += character.utf8.count
                return size <= Self.maximumName
            })
    }

    private static func addresses(
        _ row: CSVLine, _ columns: PlaceColumns.Addresses
    ) throws(PlaceFault.Reason) -> (start: IPAddress, end: IPAddress) {
        switch columns {
        case .network(let column):
            guard column < row.fields.count, let network = IPNetwork(row.text(column)), network.address.family != .unix
            else { throw "has no network such as 192.0.2.0/24 or 2001:db8::/32, with zeros behind its length" }
            return (network.address, network.last)
        case .range(let first, let last):
            guard max(first, last) < row.fields.count, let start = IPAddress(row.text(first)),
                let end = IPAddress(row.text(last)), start.family == end.family
            else { throw "has no two addresses of one family, such as 192.0.2.0 and 192.0.2.255" }
            guard (start.high, start.low) <= (end.high, end.low) else { throw "ends before it begins" }
            return (start, end)
        }
    }
}

extension IPNetwork {
    /// The last of its addresses.
    fileprivate var last: IPAddress {
        // A number that is shifted by its whole width or more is 0.
        switch self.address.family {
        case .v4: IPAddress(v4: UInt32(truncatingIfNeeded: self.address.low) | UInt32.max >> self.length)
        case .v6:
            IPAddress(
                v6High: self.address.high | UInt64.max >> self.length,
                low: self.address.low | UInt64.max >> max(0, self.length - 64))
        case .unix: self.address
        }
    }
}
