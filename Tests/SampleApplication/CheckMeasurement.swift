import AccessEnabler
import Glibc

/// Measures `authenticationStatus()` (access-enabler 7.6) as an application sees it: from the call to its result.
struct CheckMeasurement {
    /// What the result is the median of.
    let batches: Int
    private static let callsPerBatch = 100

    /// Keeps `SIGUSR1` for ``run(with:requestor:)``.
    static func blockStart() {
        var signals = Self.start
        unsafe sigprocmask(SIG_BLOCK, &signals, nil)
    }

    private static var start: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGUSR1)
        return signals
    }

    /// Configures, says so, waits for `SIGUSR1`, measures, and says what it found.
    func run(with enabler: AccessEnabler, requestor: String) async -> Int32 {
        do {
            try await enabler.configure(requestorID: requestor)
        } catch {
            return 1
        }
        guard case .authenticated = await enabler.authenticationStatus() else { return 2 }
        Line.say(["event": "configured"])
        var signals = Self.start
        var signal: Int32 = 0
        unsafe sigwait(&signals, &signal)
        var times: [Double] = []
        for _ in 0..<self.batches {
            let began = ContinuousClock.now
            for _ in 0..<Self.callsPerBatch {
                guard case .authenticated = await enabler.authenticationStatus() else { return 2 }
            }
            times.append((ContinuousClock.now - began) / .microseconds(Self.callsPerBatch))
        }
        times.sort()
        Line.say(["event": "measured", "microseconds": "\(times[times.count / 2])"])
        await enabler.shutDown()
        return 0
    }
}
