import CMicrohttpd
import Glibc

/// Reads the fields of a request, and refuses what libmicrohttpd 0.9.75 tolerates (RFC 9112 2.2, 3, 5).
///
/// libmicrohttpd parses a head where it lies: it replaces colons and line ends by NUL and remembers where names and values
/// begin. So a sound head has no gap: each line begins two bytes after the end of the value before, and the empty line
/// ends where the head does. A folded line is moved elsewhere, a bare LF takes one byte in place of two, and a NUL cuts
/// the value that libmicrohttpd reports; each of them breaks the chain. Only addresses are compared, no byte is read twice.
///
/// One thing cannot be told apart: a NUL before a bare LF looks like the CR it stands in place of.
@safe struct ReceivedHead {
    private var headers = HTTPHeaders()
    /// The place at which the next line must begin.
    private var position: UInt
    private var isSound = true

    /// - Parameter target: where the request target lies in memory, and its size.
    /// - Returns: `nil` when the head is malformed.
    static func read(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, target: (address: UInt, size: Int),
        version: UnsafePointer<CChar>
    ) -> HTTPHeaders? {
        let start = UInt(bitPattern: method)
        let versionStart = UInt(bitPattern: version)
        guard unsafe target.address == start + UInt(strlen(method)) + 1,
            versionStart == target.address + UInt(target.size) + 1
        else { return nil }
        var head = ReceivedHead(position: versionStart + Self.versionSize + Self.lineEndSize)
        unsafe withUnsafeMutablePointer(to: &head) { head in
            _ = unsafe MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    guard let head = unsafe context?.assumingMemoryBound(to: ReceivedHead.self) else { return .NO }
                    return unsafe head.pointee.add(
                        name: UnsafeRawBufferPointer(start: name, count: name == nil ? 0 : nameSize),
                        value: UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)) ? .YES : .NO
                }, head)
        }
        guard head.isSound, head.position + Self.lineEndSize == start + UInt(unsafe latchkey_header_size(connection))
        else { return nil }
        return head.headers
    }

    /// "HTTP/1.1".
    private static let versionSize: UInt = 8
    private static let lineEndSize: UInt = 2

    private mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Bool {
        let nameStart = UInt(bitPattern: name.baseAddress)
        let valueStart = UInt(bitPattern: value.baseAddress)
        self.isSound =
            unsafe nameStart == self.position && valueStart > nameStart + UInt(name.count)
            && self.headers.addReceived(name: name, value: value)
        self.position = valueStart + UInt(value.count) + Self.lineEndSize
        return self.isSound
    }
}
