import Glibc
import Synchronization

/// A small HTTP/1.1 server on a real socket whose answers a test writes down, broken ones included.
///
/// Every connection has a thread of its own, so an answer may be held back for as long as a test likes.
package final class ScriptedServer: Sendable {
    package struct Request: Sendable {
        package let method: String
        /// The request target as it was sent.
        package let target: String
        /// Header fields with lower-case names.
        package let headers: [String: String]
        package let body: [UInt8]
        /// How many requests this connection carried before.
        package let positionOnConnection: Int

        package var path: String { String(self.target.split(separator: "?", maxSplits: 1)[0]) }
        package var text: String { String(decoding: self.body, as: UTF8.self) }
    }

    package enum Answer: Sendable {
        case response(Int, headers: [String: String] = [:], body: String = "")
        /// These bytes and then the end of the connection.
        case raw(String)
        /// The end of the connection at once.
        case close
    }

    package typealias Script = @Sendable (Request) -> Answer

    private let listener: Int32
    private let open = OpenConnections()
    private let seen = Mutex<[Request]>([])
    /// Where it listens: a URL without a path, or for a Unix socket one whose host means nothing.
    package let url: String

    /// Listens on a free loopback port, or on a Unix socket, until released.
    package init(unixSocket path: String? = nil, script: @escaping Script) throws {
        (self.listener, self.url) = try listen(unixSocket: path)
        let (listener, open) = (self.listener, self.open)
        startThread { [weak self] in
            // Closed here alone: by then its number may be another server's, whose connections this would take.
            defer { Glibc.close(listener) }
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                open.insert(connection)
                startThread { [weak self] in
                    serve(connection, script) { request in self?.seen.withLock { $0.append(request) } }
                    open.close(connection)
                }
            }
        }
    }

    deinit {
        // Ends the accept and every read; the threads close what they hold.
        shutdown(self.listener, Int32(SHUT_RDWR))
        self.open.end()
    }

    /// Ends every open connection, as a server that is killed does.
    package func dropConnections() { self.open.drop() }

    package var requests: [Request] { self.seen.withLock { $0 } }
}

/// The connections of a server that are open, each closed by the thread that serves it.
private final class OpenConnections: Sendable {
    private struct State {
        var descriptors: Set<Int32> = []
        var ended = false
    }

    private let state = Mutex(State())

    /// Takes a connection; after the end it is shut down at once.
    func insert(_ connection: Int32) {
        self.state.withLock { state in
            state.descriptors.insert(connection)
            if state.ended { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// Forgets a connection and closes it in one step, so that no other is shut down under its number.
    func close(_ connection: Int32) {
        self.state.withLock { state in
            state.descriptors.remove(connection)
            Glibc.close(connection)
        }
    }

    func drop() {
        self.state.withLock { state in
            for connection in state.descriptors { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    func end() {
        self.state.withLock { $0.ended = true }
        self.drop()
    }
}

private struct SocketError: Error {
    let code: Int32
}

private func listen(unixSocket path: String?) throws -> (Int32, String) {
    let family = path == nil ? AF_INET : AF_UNIX
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw SocketError(code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    if let path {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let code = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bind(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard code == 0, Glibc.listen(descriptor, 16) == 0 else { throw SocketError(code: errno) }
        return (descriptor, "http://box.invalid")
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutableBytes(of: &address) { bytes in
        let pointer = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        guard unsafe bind(descriptor, pointer, length) == 0, Glibc.listen(descriptor, 16) == 0 else {
            return Int32(-1)
        }
        guard let pointer = unsafe pointer else { return -1 }
        return unsafe getsockname(descriptor, pointer, &length)
    }
    guard code == 0 else { throw SocketError(code: errno) }
    return (descriptor, "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
}

private func serve(_ connection: Int32, _ script: ScriptedServer.Script, saw: (ScriptedServer.Request) -> Void) {
    var reader = RequestReader(connection)
    while let request = reader.next() {
        saw(request)
        switch script(request) {
        case .response(let status, let headers, let body):
            var text = "HTTP/1.1 \(status) Scripted\r\n"
            for (name, value) in headers { text += "\(name): \(value)\r\n" }
            if status != 204 { text += "Content-Length: \(body.utf8.count)\r\n" }
            text += "\r\n" + (request.method == "HEAD" ? "" : body)
            guard send(text, to: connection) else { return }
        case .raw(let text):
            _ = send(text, to: connection)
            shutdown(connection, Int32(SHUT_RDWR))
            return
        case .close:
            shutdown(connection, Int32(SHUT_RDWR))
            return
        }
    }
}

private func send(_ text: String, to connection: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes {
            unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}

/// Takes requests with a `Content-Length` off a connection.
private struct RequestReader {
    private let connection: Int32
    private var buffer: [UInt8] = []
    private var count = 0

    init(_ connection: Int32) { self.connection = connection }

    mutating func next() -> ScriptedServer.Request? {
        let end = Array("\r\n\r\n".utf8)
        var headEnd = 0
        while true {
            if let found = self.buffer.indices.first(where: { self.buffer[$0...].starts(with: end) }) {
                headEnd = found
                break
            }
            guard self.readMore() else { return nil }
        }
        let lines = String(decoding: self.buffer[..<headEnd], as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: false)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while self.buffer.count < headEnd + 4 + length {
            guard self.readMore() else { return nil }
        }
        let body = Array(self.buffer[(headEnd + 4)..<(headEnd + 4 + length)])
        self.buffer.removeFirst(headEnd + 4 + length)
        let words = lines[0].split(separator: " ")
        guard words.count >= 2 else { return nil }
        defer { self.count += 1 }
        return ScriptedServer.Request(
            method: String(words[0]), target: String(words[1]), headers: headers, body: body,
            positionOnConnection: self.count)
    }

    private mutating func readMore() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = unsafe recv(self.connection, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        self.buffer += bytes.prefix(count)
        return true
    }
}
