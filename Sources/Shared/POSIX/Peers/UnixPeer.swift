import CLinux
import Glibc

/// The process that connected to a Unix socket, as the kernel knows it, and not as it calls itself.
package struct UnixPeer: Hashable, Sendable {
    /// Its number; 0 for one in a namespace that cannot be seen from here.
    package let process: Int
    package let user: Int
    /// When it started, in ticks since the machine did: two processes that get one number after the other differ in
    /// it. `nil` when the process was gone before it could be looked at.
    package let started: UInt64?

    package init(process: Int, user: Int, started: UInt64?) {
        self.process = process
        self.user = user
        self.started = started
    }

    /// The peer of a connection that was accepted a moment ago; `nil` when the socket has none to tell of.
    package init?(of socket: Int32) {
        var peer = clinux_credentials()
        guard unsafe clinux_peer(socket, &peer) == 0 else { return nil }
        let process = Int(peer.process)
        // A kernel before 6.5 has no such descriptor. Then a process that took the number over between the connection
        // and this moment would be believed; the acceptor leaves it some microseconds.
        let descriptor = clinux_peer_descriptor(socket)
        defer { if descriptor >= 0 { close(descriptor) } }
        var started = process > 0 ? Self.start(of: process, procFolder: "/proc") : nil
        if descriptor >= 0, Self.hasEnded(descriptor) { started = nil }
        self.init(process: process, user: Int(peer.user), started: started)
    }

    /// The findings of `body` about the process in `/proc`; `nil` when the process has ended by then, so that nothing
    /// is told of another one that took its number over.
    package func whileRunning<Result>(procFolder: String = "/proc", _ body: () -> Result) -> Result? {
        guard self.started != nil else { return nil }
        let result = body()
        return Self.start(of: self.process, procFolder: procFolder) == self.started ? result : nil
    }

    /// pidfd_open(2): the descriptor is readable once the process has ended.
    private static func hasEnded(_ descriptor: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&wanted, 1, 0) != 0
    }

    private static func start(of process: Int, procFolder: String) -> UInt64? {
        guard let text = try? WholeFile.read("\(procFolder)/\(process)/stat", limit: 4096) else { return nil }
        // proc(5): the second field is a name in parentheses, which may hold anything; the start is the 22nd.
        guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[(end + 1)...].split(separator: UInt8(ascii: " "))
        // The state of a process that has ended and is not yet collected.
        guard fields.count > 19, fields[0] != [UInt8(ascii: "Z")] else { return nil }
        return UInt64(String(decoding: fields[19], as: UTF8.self))
    }
}

package enum UnixUser {
    /// - Returns: `nil` when the system knows no user of this number.
    package static func name(of number: Int) -> String? {
        guard let number = uid_t(exactly: number) else { return nil }
        // sysconf(3) may know no bound; a record with its texts stays far below this one.
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        var record = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        // getpwuid_r(3): the texts lie in `buffer`, and `found` is NULL when there is no such user.
        let code = unsafe getpwuid_r(number, &record, &buffer, buffer.count, &found)
        guard code == 0, unsafe found != nil, let name = unsafe record.pw_name else { return nil }
        return unsafe String(cString: name)
    }
}
