import Glibc

/// What of the tests of failover takes long, and so runs by name.
package enum FailoverRounds {
    /// `LATCHKEY_FAILOVER_ROUNDS`, the number of rounds; 0 where it is not set, and nothing runs.
    package static let count =
        unsafe getenv("LATCHKEY_FAILOVER_ROUNDS").flatMap { unsafe Int(String(cString: $0)) } ?? 0
}
