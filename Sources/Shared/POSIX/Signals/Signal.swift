import Glibc

/// A signal of the system.
package struct Signal: RawRepresentable, Hashable, Sendable {
    /// Its number, from 1.
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Control and C were pressed.
    package static let interrupt = Signal(rawValue: SIGINT)
    /// The process is asked to end.
    package static let terminate = Signal(rawValue: SIGTERM)
    /// The terminal went away.
    package static let hangUp = Signal(rawValue: SIGHUP)

    /// The reader of a pipe went away.
    package static let brokenPipe = Signal(rawValue: SIGPIPE)
    package static let userDefined1 = Signal(rawValue: SIGUSR1)
    package static let userDefined2 = Signal(rawValue: SIGUSR2)

    /// The terminal got another size.
    package static let windowChange = Signal(rawValue: SIGWINCH)

    /// From now on it does what it does by default.
    package func restoreDefault() {
        signal(self.rawValue, SIG_DFL)
    }

    /// From now on it does nothing.
    package func ignore() {
        signal(self.rawValue, SIG_IGN)
    }

    func handle(with handler: @escaping @convention(c) (Int32) -> Void) {
        signal(self.rawValue, handler)
    }
}
