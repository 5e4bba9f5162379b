import FoundationEssentials
import HTTPServer
import TestSupport
import Testing

@testable import Places

@Suite("A file of places")
struct PlaceTests {
    private static func place(_ book: PlaceBook, _ address: String) throws -> Place? {
        book.place(of: try #require(IPAddress(address)))
    }

    @Test func `says where the addresses of a network are, to its ends and no farther`() throws {
        let book = PlaceBook()
        #expect(try book.follow(Vectors.path("places.mmdb")))
        let berlin = Place(region: "DE", country: "Germany", town: "Berlin")
        let expected: [(String, Place?)] = [
            ("192.0.1.255", nil), ("192.0.2.0", berlin), ("192.0.2.255", berlin), ("192.0.3.0", nil),
            ("198.51.100.7", Place(region: "SE", country: nil)),
            ("198.51.100.200", Place(region: "SE", country: "Sweden", town: "Skåne")),
            ("198.18.0.7", Place(region: nil, country: "<b>", town: "a<script>\"")), ("198.18.0.200", nil),
            ("192.168.1.7", nil), ("127.0.0.1", nil), ("::1", nil), ("2001:db7:ffff::", nil), ("2001:db8:2::", nil),
        ]
        for (address, place) in expected { #expect(try Self.place(book, address) == place, "\(address)") }
        #expect(book.place(of: .unix) == nil)
    }

    @Test func `gives names of at most 128 bytes, of whole characters`() throws {
        let book = PlaceBook()
        _ = try book.follow(Vectors.path("places.mmdb"))
        let town = try #require(try Self.place(book, "2001:db8:1:ffff::1")?.town)
        #expect(town == String(repeating: "å", count: 63))
    }

    @Test func `is read again when it changed, and forgotten when it is set no more`() throws {
        let (book, folder) = (PlaceBook(), try TemporaryFolder())
        let path = folder.file("places.mmdb")
        func put(_ name: String) throws {
            try Data(contentsOf: URL(filePath: Vectors.path(name))).write(to: URL(filePath: path))
        }
        try put("places.mmdb")
        #expect(try book.follow(path))
        #expect(try !book.follow(path), "it is in use already")
        // What is in use is a copy: a file that is cut does no harm.
        try Data().write(to: URL(filePath: path))
        #expect(try Self.place(book, "192.0.2.7")?.town == "Berlin")
        #expect(throws: PlaceFault.self) { try book.follow(path) }
        #expect(throws: PlaceFault.self) { try book.follow(folder.file("missing.mmdb")) }
        #expect(try Self.place(book, "192.0.2.7")?.town == "Berlin")
        try put("later.mmdb")
        #expect(try book.follow(path))
        #expect(try Self.place(book, "192.0.2.7")?.town == "Potsdam")
        #expect(try !book.follow(nil))
        #expect(try Self.place(book, "192.0.2.7") == nil)
    }

    @Test func `that is damaged is read or refused, and nothing else`() throws {
        let folder = try TemporaryFolder()
        let good = try Data(contentsOf: URL(filePath: Vectors.path("places.mmdb")))
        let path = URL(filePath: folder.file("places.mmdb"))
        var refused = 0
        for place in good.indices {
            var bytes = good
            bytes[place] ^= 0xFF
            try bytes.write(to: path)
            do throws(PlaceFault) {
                let database = try PlaceDatabase(path.path)
                for address in ["192.0.2.7", "198.51.100.200", "198.18.0.7", "2001:db8::"] {
                    _ = IPAddress(address).map { database.place(of: $0) }
                }
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0 && refused < good.count)
    }
}
