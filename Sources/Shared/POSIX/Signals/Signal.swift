import Glibc

package struct Signal: RawRepresentable, Hashable, Sendable {
    /// Its number, from 1.
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let interrupt = Signal(rawValue: SIGINT)
    package static let terminate = Signal(rawValue: SIGTERM)
    package static let hangUp = Signal(rawValue: SIGHUP)

    package static let brokenPipe = Signal(rawValue: SIGPIPE)
    package static let userDefined1 = Signal(rawValue: SIGUSR1)
    package static let userDefined2 = Signal(rawValue: SIGUSR2)

    package static let windowChange = Signal(rawValue: SIGWINCH)

    package func restoreDefault() { signal(self.rawValue, SIG_DFL) }

    package func ignore() { signal(self.rawValue, SIG_IGN) }

    func handle(with handler: @escaping @convention(c) (Int32) -> Void) { signal(self.rawValue, handler) }
}
