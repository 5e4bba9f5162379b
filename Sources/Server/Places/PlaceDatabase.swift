import CMaxMindDB
import Glibc
package import HTTPServer
package import POSIX

/// A file of places in the MaxMind DB format, such as those of GeoLite2 and DB-IP.
///
/// The file is copied into memory first: a file that is overwritten while it is mapped would end the process.
///
/// It may go from thread to thread: a lookup only reads, and nothing changes the database after it was opened.
@safe
package struct PlaceDatabase: ~Copyable, @unchecked Sendable {
    /// The largest file, in bytes.
    package static let maximumSize = 512 << 20
    /// The longest text that is kept of a name, in bytes.
    static let maximumName = 128

    /// The library remembers where the value lies, so it stays in one place.
    private let database: UnsafeMutablePointer<MMDB_s>

    /// - Throws: ``PlaceFault`` if the file cannot be read or is no such database.
    package init(_ path: String) throws(PlaceFault) {
        let copy: MemoryFile
        do throws(SystemError) {
            copy = try MemoryFile(copyOf: path, atMost: Self.maximumSize)
        } catch {
            throw .system(error)
        }
        let database = UnsafeMutablePointer<MMDB_s>.allocate(capacity: 1)
        unsafe database.initialize(to: MMDB_s())
        let code = unsafe MMDB_open(copy.path, UInt32(MMDB_MODE_MMAP), database)
        guard code == MMDB_SUCCESS else {
            unsafe database.deallocate()
            throw .format(unsafe String(cString: MMDB_strerror(code)))
        }
        unsafe self.database = database
    }

    deinit {
        unsafe MMDB_close(self.database)
        unsafe self.database.deallocate()
    }

    /// The place where `address` is used; `nil` if the file does not know it.
    package func place(of address: IPAddress) -> Place? {
        guard address.family != .unix else { return nil }
        var (unread, code): (Int32, Int32) = (0, 0)
        let result = unsafe MMDB_lookup_string(self.database, address.description, &unread, &code)
        guard unread == 0, code == MMDB_SUCCESS, unsafe result.found_entry else { return nil }
        return unsafe Place(
            region: self.text(result.entry, ["country", "iso_code"]),
            country: self.text(result.entry, ["country", "names", "en"]),
            town: self.text(result.entry, ["city", "names", "en"])
                ?? self.text(result.entry, ["subdivisions", "0", "names", "en"]))
    }

    /// The text at the end of a path through maps and arrays, as many whole characters as are kept.
    private func text(_ entry: MMDB_entry_s, _ path: [String]) -> String? {
        var entry = unsafe entry
        var value = unsafe MMDB_entry_data_s()
        var names = unsafe path.map { unsafe strdup($0) }
        defer { unsafe names.forEach { unsafe free($0) } }
        unsafe names.append(nil)
        let code = unsafe names.withUnsafeBufferPointer { names in
            unsafe names.baseAddress!.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: names.count) {
                unsafe MMDB_aget_value(&entry, &value, $0)
            }
        }
        guard code == MMDB_SUCCESS, let text = unsafe cmaxminddb_text(&value) else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: min(Int(value.data_size), 4 * Self.maximumName))
        var size = 0
        let name = unsafe String(decoding: bytes, as: UTF8.self).prefix { character in
            size += character.utf8.count
            return size <= Self.maximumName
        }
        return name.isEmpty ? nil : String(name)
    }
}

/// Why a file of places cannot be used.
package enum PlaceFault: Error, Hashable, Sendable, CustomStringConvertible {
    case system(SystemError)
    /// The library's message about the file.
    case format(String)

    package var description: String {
        switch self {
        case .system(let error): "\(error)"
        case .format(let text): text
        }
    }
}
