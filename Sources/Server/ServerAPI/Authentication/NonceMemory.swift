import Clientless

/// Which signed texts were seen under which nonce, for requestors that reuse headers (rest-v1 7.3, step 8).
///
/// A nonce is kept as a 64-bit hash under a key of this process, a signed text as 64 bits of its code, which has been
/// verified before: a guesser who can make two texts with the same bits has the key, and could sign anything. A flood makes
/// it forget the oldest: what is protected is one call inside one window, on one node. Strict requestors' nonces are
/// kept by the store instead.
final class NonceMemory: Sendable {
    private struct Use: SlotValue {
        let text: UInt64
        let until: Int64

        var neededUntil: Int64 { self.until }
    }

    private let uses: SlotTable<Use>

    /// - Parameter bound: the most nonces remembered.
    init(bound: Int = 1 << 18) { self.uses = SlotTable(bound: bound, filler: Use(text: 0, until: .min)) }

    /// Takes the nonce of a header that is authentic.
    /// - Parameters:
    ///   - nonce: the hash of a nonce and the public key it was used with.
    ///   - text: bits of the signed text's code.
    ///   - until: when the header can no longer be used, whatever the nonce.
    /// - Returns: false when the nonce was used for another text and that one can still be used.
    func take(_ nonce: Int, text: UInt64, until: Timestamp, now: Timestamp) -> Bool {
        let use = Use(text: text, until: until.milliseconds)
        return self.uses.update(nonce, at: now.milliseconds, initial: use) { known in
            if known.text == use.text { return true }
            guard known.until < now.milliseconds else { return false }
            known = use
            return true
        }
    }
}
