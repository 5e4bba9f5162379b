import CMicrohttpd
import Glibc

/// An epoll instance with a way to wake the thread that waits on it.
struct EventSet: ~Copyable {
    /// The tag tells which of our sockets it is; ``wakeTag`` is a wake.
    typealias Event = (tag: UInt64, flags: UInt32)

    static let wakeTag = UInt64.max
    static let readable = UInt32(EPOLLIN.rawValue)
    static let writable = UInt32(EPOLLOUT.rawValue)
    /// The peer has closed its side, or all of it.
    static let peerClosed = UInt32(EPOLLRDHUP.rawValue)

    /// The connection can send and receive no more. Comes whether it is asked for or not.
    static let broken = UInt32(EPOLLERR.rawValue) | UInt32(EPOLLHUP.rawValue)

    private let descriptor: Int32
    private let wakeDescriptor: Int32

    /// - Returns: `nil` when the process may open no more files.
    init?() {
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        let wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        self.descriptor = descriptor
        self.wakeDescriptor = wakeDescriptor
        guard descriptor >= 0, wakeDescriptor >= 0, self.add(wakeDescriptor, Self.readable, tag: Self.wakeTag) else {
            return nil
        }
    }

    deinit {
        if self.descriptor >= 0 { close(self.descriptor) }
        if self.wakeDescriptor >= 0 { close(self.wakeDescriptor) }
    }

    func add(_ socket: Int32, _ flags: UInt32, tag: UInt64) -> Bool {
        self.control(EPOLL_CTL_ADD, socket, flags, tag)
    }

    func change(_ socket: Int32, to flags: UInt32, tag: UInt64) -> Bool {
        self.control(EPOLL_CTL_MOD, socket, flags, tag)
    }

    /// Closing a descriptor is not enough: as long as a duplicate of the socket is open, its events would come.
    func remove(_ socket: Int32) { _ = self.control(EPOLL_CTL_DEL, socket, 0, 0) }

    private func control(_ operation: Int32, _ socket: Int32, _ flags: UInt32, _ tag: UInt64) -> Bool {
        var event = unsafe epoll_event(events: flags, data: epoll_data_t(u64: tag))
        return unsafe epoll_ctl(self.descriptor, operation, socket, &event) == 0
    }

    /// Makes a waiting, or the next, `wait` return.
    func wake() {
        var one: UInt64 = 1
        _ = unsafe write(self.wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// The events that have happened, at most 256; nothing when `milliseconds` have passed, which -1 never do.
    func wait(milliseconds: Int32 = -1) -> [Event] {
        var events = unsafe [epoll_event](repeating: epoll_event(), count: 256)
        let count = unsafe epoll_wait(self.descriptor, &events, 256, milliseconds)
        guard count > 0 else { return [] }
        var result: [Event] = []
        for index in 0..<Int(count) {
            let tag = unsafe events[index].data.u64
            if tag == Self.wakeTag {
                var counter: UInt64 = 0
                _ = unsafe read(self.wakeDescriptor, &counter, MemoryLayout<UInt64>.size)
            }
            result.append(unsafe (tag, events[index].events))
        }
        return result
    }
}
