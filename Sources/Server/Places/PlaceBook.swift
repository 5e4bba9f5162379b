package import HTTPServer
import POSIX
import Synchronization

/// The places that pages look up, out of one file that may change while the server runs.
package final class PlaceBook: Sendable {
    private struct State: ~Copyable {
        var database: PlaceDatabase?
        var used: (path: String, version: FileVersion)?
    }

    private let state = Mutex(State())

    package init() {}

    /// Looks places up in the file at `path` from now on, or in none. If the file cannot be used, everything stays.
    /// - Returns: `false` if the file is in use already.
    /// - Throws: ``PlaceFault``
    package func follow(_ path: String?) throws(PlaceFault) -> Bool {
        var used: (path: String, version: FileVersion)?
        var database: PlaceDatabase?
        if let path {
            // Before the content: a file that is replaced meanwhile is read again the next time.
            do throws(SystemError) {
                used = (path, try FileVersion(of: path))
            } catch {
                throw .system(error)
            }
            let isUsed = self.state.withLock { $0.used?.path == path && $0.used?.version == used?.version }
            guard !isUsed else { return false }
            database = try PlaceDatabase(path)
        }
        self.state.withLock { state in
            state.used = used
            state.database = database.take()
        }
        return path != nil
    }

    /// The place where `address` is used; `nil` if that is not known.
    package func place(of address: IPAddress) -> Place? {
        self.state.withLock { state in
            guard state.database != nil else { return nil }
            return state.database!.place(of: address)
        }
    }
}

/// Roughly where an address of the Internet is used, as an operator's file says it.
package struct Place: Hashable, Sendable {
    /// The country's two letters in capitals (ISO 3166-1 alpha-2); `nil` if the file has no code for it.
    package let region: String?
    /// The country's English name, or the two letters if the file has no name.
    package let country: String
    /// The city, or the region if the file names no city.
    package let town: String?

    package init?(region: String?, country: String?, town: String? = nil) {
        let letters = region.flatMap { code in
            code.utf8.count == 2 && code.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) } ? code.uppercased() : nil
        }
        guard let country = country ?? letters else { return nil }
        self.region = letters
        self.country = country
        self.town = town
    }
}
