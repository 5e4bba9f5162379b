import HTTPClient
import RealPrograms

/// A request written byte for byte, and its answer read strictly.
struct RawAnswer: Sendable {
    let status: Int
    /// Names in lower case.
    let fields: [(name: String, value: String)]
    let body: String

    /// - Throws: when this is not exactly one HTTP answer.
    init(_ text: String) throws {
        guard text.hasPrefix("HTTP/1.1 "), let status = Int(text.dropFirst(9).prefix(3)),
            let end = text.firstRange(of: "\r\n\r\n")
        else { throw GaveUp(description: "no answer, but: \(text.prefix(300))") }
        self.status = status
        self.fields = try text[..<end.lowerBound].split(separator: "\r\n").dropFirst().map { line in
            guard let colon = line.firstIndex(of: ":") else {
                throw GaveUp(description: "a line without a name: \(line)")
            }
            return (line[..<colon].lowercased(), String(line[colon...].dropFirst(2)))
        }
        self.body = String(text[end.upperBound...])
        let length = self["content-length"].flatMap { Int($0) } ?? 0
        guard length == self.body.utf8.count else {
            throw GaveUp(description: "\(self.body.utf8.count) bytes in place of \(length): \(self.body)")
        }
    }

    subscript(name: String) -> String? { self.fields.first { $0.name == name }?.value }

    var summary: String { "\(self.status): \(self.body.prefix(500))" }
}

extension OwnService {
    /// Sends a request whose parts may hold anything.
    /// - Parameters:
    ///   - target: the request target, bytes and all.
    ///   - fields: header fields beside `Host` and `Connection`.
    func raw(
        _ method: String, _ target: some Collection<UInt8>, fields: [(String, [UInt8])] = [], body: [UInt8]? = nil
    ) async throws -> RawAnswer {
        var bytes = Array("\(method) ".utf8) + target + Array(" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close".utf8)
        for (name, value) in fields { bytes += Array("\r\n\(name): ".utf8) + value }
        if let body { bytes += Array("\r\nContent-Length: \(body.count)".utf8) }
        let connection = try RawConnection(port: self.server.port)
        connection.send(bytes + Array("\r\n\r\n".utf8) + (body ?? []))
        return try RawAnswer(try await connection.receiveAll())
    }

    func raw(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: String? = nil
    ) async throws -> RawAnswer {
        try await self.raw(
            method, Array(target.utf8), fields: fields.map { ($0.0, Array($0.1.utf8)) },
            body: body.map { Array($0.utf8) })
    }

    /// Whether it still answers; every test of bad input ends with this question.
    func isReady() async throws -> Bool { try await self.service.send(.get, "/readyz").status == 200 }
}
