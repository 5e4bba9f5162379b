import CPostgres
import Glibc
import POSIX

/// The server's address, and the user who connects.
struct ConnectionSettings: Hashable, Sendable {
    let connection: String
    /// The connection's name in the server's list.
    let name: String
    /// The servers that may take writes, in the order of the connection string; one at least.
    let hosts: [Host]

    /// One server's part of the connection string; `nil` is libpq's own default.
    struct Host: Hashable, Sendable {
        var name: String?
        var address: String?
        var port: String?

        /// The name whose addresses have to be found; `nil` if there is none, as of a socket's folder or an address.
        var unresolvedName: String? {
            guard self.address == nil, let name = self.name else { return nil }
            return name.hasPrefix("/") || name.hasPrefix("@") || HostAddresses.isAddress(name) ? nil : name
        }
    }

    func attempt(at candidate: PrimarySearch.Candidate, takingWrites: Bool) -> ConnectionAttempt {
        var host = self.hosts[candidate.place]
        if let address = candidate.address { host.address = address }
        return ConnectionAttempt(self, to: host, takingWrites: takingWrites)
    }

    /// A server as the connection string names it, with the address of it that is asked.
    func name(of candidate: PrimarySearch.Candidate) -> String {
        let host = self.hosts[candidate.place]
        let name = host.name ?? host.address ?? "of the connection string"
        let port = host.port.map { ":\($0)" } ?? ""
        return name + port + (candidate.address.map { " (\($0))" } ?? "")
    }

    /// The form in which libpq reads a text.
    enum Form: Hashable {
        case nothing, connection, connectionWithSecret
    }

    static func form(of text: String) -> Form {
        guard !text.utf8.contains(0) else { return .nothing }
        return switch unsafe latchkey_pq_parse(text) {
        case 1: .connection
        case 2: .connectionWithSecret
        default: .nothing
        }
    }

    /// - Throws: when `connection` is no connection string, or one of several hosts in it has no name or address.
    init(connection: String, name: String) throws(PostgresFailure) {
        guard Self.form(of: connection) != .nothing else { throw .lost("the connection string is none") }
        self.connection = connection
        self.name = name
        self.hosts = try Self.hosts(
            names: Self.list("host", in: connection), addresses: Self.list("hostaddr", in: connection),
            ports: Self.list("port", in: connection))
    }

    /// The hosts of lists as libpq understands them: one port may be that of all, and an empty one is PostgreSQL's.
    private static func hosts(
        names: [String?], addresses: [String?], ports: [String?]
    ) throws(PostgresFailure) -> [Host] {
        let count = max(names.count, addresses.count)
        if addresses.isEmpty, names.count == 1 { return [Host(name: names[0])] }
        // Lists of other lengths are faults that libpq tells of when it connects.
        guard count > 1, [0, count].contains(names.count), [0, count].contains(addresses.count),
            [0, 1, count].contains(ports.count)
        else { return [Host()] }
        // libpq takes an empty word for none, and the whole list in its place.
        guard !names.contains(nil), !addresses.contains(nil) else {
            throw .lost("a list of hosts in the connection string has an empty word")
        }
        return (0..<count).map { number in
            Host(
                name: names.isEmpty ? nil : names[number], address: addresses.isEmpty ? nil : addresses[number],
                port: ports.count == count ? ports[number] ?? "5432" : ports.first ?? nil)
        }
    }

    /// A setting with commas in it, as a list; an empty word is `nil`.
    private static func list(_ keyword: String, in connection: String) -> [String?] {
        guard let value = unsafe latchkey_pq_setting(connection, keyword) else { return [] }
        defer { unsafe free(value) }
        return unsafe String(cString: value).split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? nil : String($0) }
    }
}
