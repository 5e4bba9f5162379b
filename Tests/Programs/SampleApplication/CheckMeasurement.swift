import AccessEnabler
import Glibc

/// Measures `authenticationStatus()` (access-enabler 7.6) as an application sees it: from the call to its result.
struct CheckMeasurement {
    /// What the result is the median of.
    let batches: Int
    /// A named pipe; opening it to read waits until somebody has it open to write (fifo(7)).
    let start: String
    private static let callsPerBatch = 100

    /// Configures, says so, waits for ``start``, measures, and says what it found.
    func run(with enabler: AccessEnabler, requestor: String) async -> Int32 {
        do {
            try await enabler.configure(requestorID: requestor)
        } catch {
            return 1
        }
        guard case .authenticated = await enabler.authenticationStatus() else { return 2 }
        Line.say(["event": "configured"])
        close(unsafe open(self.start, O_RDONLY))
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
