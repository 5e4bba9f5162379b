import Dispatch
import Glibc

/// A socket that a program sends its news to, as it does to systemd.
package final class DatagramSocket: Sendable {
    private let descriptor: Int32

    package init(_ path: String) throws {
        self.descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            for (index, byte) in path.utf8.enumerated() { unsafe bytes[index] = byte }
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(self.descriptor, $0, length)
            }
        }
        guard result == 0 else { throw POSIXFailure(code: errno) }
    }

    deinit { close(self.descriptor) }

    package struct POSIXFailure: Error {
        package let code: Int32
    }

    /// The next message, waited for off the cooperative pool.
    package func receive() async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "datagram").async {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = unsafe recv(self.descriptor, &buffer, buffer.count, 0)
                continuation.resume(returning: String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
            }
        }
    }
}
