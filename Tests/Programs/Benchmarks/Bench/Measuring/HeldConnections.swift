import Glibc

/// Many connections that wait for an answer, each on a socket of its own, from this one process.
final class HeldConnections {
    private var sockets: [Int32] = []
    private let port: UInt16

    init(port: UInt16) { self.port = port }

    deinit {
        for socket in self.sockets { close(socket) }
    }

    /// Opens a connection and sends `request`; with `before`, sends that first and reads its answer.
    func add(_ request: String, after before: String?) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw NotMeasured(description: "no further socket: error \(errno)") }
        self.sockets.append(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        address.sin_port = self.port.bigEndian
        let result = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            throw NotMeasured(description: "the server takes no more connections: error \(errno)")
        }
        if let before {
            try self.send(before, on: descriptor)
            try self.readAnswer(on: descriptor)
        }
        try self.send(request, on: descriptor)
    }

    /// How many have been answered or closed, which none should.
    func answered() -> Int {
        self.sockets.count { socket in
            var byte: UInt8 = 0
            return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) >= 0 || errno != EAGAIN
        }
    }

    private func send(_ text: String, on descriptor: Int32) throws {
        // Shorter than any socket's buffer: it goes out in one piece.
        let bytes = Array(text.utf8)
        let count = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard count == bytes.count else { throw NotMeasured(description: "a request was not taken: error \(errno)") }
    }

    /// Reads until the body is there whose length the head announces.
    private func readAnswer(on descriptor: Int32) throws {
        var answer = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw NotMeasured(description: "a connection was closed instead of answered") }
            answer += String(decoding: buffer.prefix(count), as: UTF8.self)
            guard let head = answer.firstRange(of: "\r\n\r\n") else { continue }
            let lines = answer[..<head.lowerBound].split(separator: "\r\n")
            let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.dropFirst(15).drop(while: \.isWhitespace)) }
            if answer[head.upperBound...].utf8.count >= length ?? 0 { return }
        }
    }
}

/// Lets this process, and those it starts, open as many files as the system allows.
func raiseFileLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
