import Glibc

/// Wakes a thread that waits in poll: a pipe that is never full for long.
struct Bell: ~Copyable, Sendable {
    private let readingEnd: Int32
    private let writingEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        // pipe(2) fills in two descriptors.
        guard unsafe pipe(&ends) == 0 else {
            self.readingEnd = -1
            self.writingEnd = -1
            return
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        self.readingEnd = ends[0]
        self.writingEnd = ends[1]
    }

    deinit {
        guard self.isUsable else { return }
        close(self.readingEnd)
        close(self.writingEnd)
    }

    /// False when the process had no descriptors left.
    var isUsable: Bool { self.readingEnd >= 0 }

    /// The descriptor that becomes readable when the bell was rung.
    var descriptor: Int32 { self.readingEnd }

    /// Rings. A full pipe means it has been rung already, and EINTR cannot come from a pipe that does not block.
    func ring() {
        var byte: UInt8 = 1
        _ = unsafe write(self.writingEnd, &byte, 1)
    }

    /// Makes it silent again.
    func hush() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe read(self.readingEnd, &bytes, bytes.count) > 0 {}
    }
}
