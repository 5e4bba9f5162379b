import Clientless
import Entitlement
import HTTPServer

// Wrong codes of one address, on the endpoints that need no credential (rest-v1 24.4).
extension RESTv1 {
    /// How long the address still has to wait. A guess made meanwhile is not looked up.
    func guessingPause(_ address: IPAddress, now: Timestamp) -> Duration? {
        self.domain.guesses.waitingTime(of: [.address(address.limitName)], now: now)
    }

    /// Counts a code that was not there.
    func countGuess(_ address: IPAddress, now: Timestamp) {
        self.domain.guesses.recordFailure(of: [.address(address.limitName)], now: now)
    }

    /// Refuses an address that guessed too much.
    func admitGuess(_ call: Call) throws(WireError) -> IPAddress {
        let address = self.address(of: call.request)
        if let wait = self.guessingPause(address, now: call.now) { throw .tooManyRequests(retryAfter: wait) }
        return address
    }
}
