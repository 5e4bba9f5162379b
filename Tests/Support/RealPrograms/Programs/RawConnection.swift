import Dispatch
import Glibc

/// A TCP connection that sends what it is told, byte for byte, well-formed or not.
package final class RawConnection: Sendable {
    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    private let descriptor: Int32

    package init(port: Int) throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        // A server that neither answers nor closes makes the test fail, not hang.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(self.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(self.descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        let result = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(self.descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failed(description: "cannot connect: error \(errno)") }
    }

    deinit {
        close(self.descriptor)
    }

    /// Sends as much as the other end takes.
    /// - Returns: whether it took all.
    @discardableResult
    package func send(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.send(self.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    package func send(_ text: String) -> Bool { self.send(text.utf8) }

    /// Everything that comes until the other end closes, off the cooperative pool.
    /// - Throws: when it does not close within a minute.
    package func receiveAll() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "raw connection").async {
                var received: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 16_384)
                while true {
                    let count = unsafe recv(self.descriptor, &buffer, buffer.count, 0)
                    if count > 0 {
                        received += buffer.prefix(count)
                    } else if count < 0, errno == EAGAIN {
                        continuation.resume(throwing: Failed(description: "the connection stayed open"))
                        return
                    } else {
                        // Closed, also where the other end reset it after its answer.
                        continuation.resume(returning: String(decoding: received, as: UTF8.self))
                        return
                    }
                }
            }
        }
    }
}
