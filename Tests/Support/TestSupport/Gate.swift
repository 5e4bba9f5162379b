import Dispatch

/// Holds a scripted answer back until a test opens it, once for each answer.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    /// Waits on the server's thread, at most half a minute so that a broken test ends.
    package func wait() { _ = self.semaphore.wait(timeout: .now() + .seconds(30)) }

    package func open() { self.semaphore.signal() }
}
