/// Wakes a thread that waits in poll: a pipe that is never full for long.
package struct Bell: ~Copyable, Sendable {
    /// `nil` when the process had no descriptors left.
    private let pipe: Pipe?

    package init() { self.pipe = try? Pipe() }

    package var isUsable: Bool { self.descriptor >= 0 }

    /// The descriptor that becomes readable when the bell was rung; -1 for a bell that is not usable.
    package var descriptor: Int32 {
        switch self.pipe {
        case .some(let pipe): pipe.reading.number
        case nil: -1
        }
    }

    /// Rings. A full pipe means it has been rung already.
    package func ring() {
        switch self.pipe {
        case .some(let pipe): pipe.put(1)
        case nil: break
        }
    }

    package func hush() {
        switch self.pipe {
        case .some(let pipe): while pipe.take() != nil {}
        case nil: break
        }
    }
}
