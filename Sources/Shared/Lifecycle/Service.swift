// Lifecycle: services that live as long as the program, stopping in reverse order, and deadlines.
//
// It leaves to its neighbours: what each service does with its time, and how a signal reaches the program (POSIX).

/// Something that lives as long as the program.
package protocol Service: Sendable {
    /// Lives until `StopSignal.current` says stop, then finishes what is in flight and returns. Returning earlier is a
    /// failure of the program. When its task is cancelled, time is up: let go of everything and return.
    func run() async throws

    /// Returns once the service does what others need it for; the next service starts only then. Throws when it never
    /// will, as `run` does. At once by default.
    func waitUntilStarted() async throws
}

extension Service {
    package func waitUntilStarted() async throws {}
}
