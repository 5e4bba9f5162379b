import Clientless

/// Which signed texts were seen under which nonce, for requestors that reuse headers (rest-v1 7.3, step 8).
///
/// Both are kept as 64-bit hashes under a key of this process, and a flood makes it forget the oldest: what is
/// protected is one call inside one window, on one node. Strict requestors' nonces are kept by the store instead.
final class NonceMemory: Sendable {
    private struct Use: SlotValue {
        let text: Int
        let until: Int64

        /// The one that ends last is needed longest.
        var worth: Int64 { self.until }
    }

    private struct Key: Hashable {
        let publicKey: Substring
        let nonce: Substring
    }

    private let uses: SlotTable<Use>

    /// - Parameter bound: the most nonces remembered.
    init(bound: Int = 1 << 18) {
        self.uses = SlotTable(bound: bound, filler: Use(text: 0, until: .min))
    }

    /// Takes a nonce for a signed text.
    /// - Parameter until: when the header can no longer be used, whatever the nonce.
    /// - Returns: false when the nonce was used for another text and that one can still be used.
    func take(_ nonce: Substring, publicKey: Substring, signedText: Substring, until: Timestamp, now: Timestamp) -> Bool
    {
        let key = Key(publicKey: publicKey, nonce: nonce).hashValue
        let use = Use(text: signedText.hashValue, until: until.milliseconds)
        return self.uses.update(key, initial: use) { known in
            if known.text == use.text { return true }
            guard known.until < now.milliseconds else { return false }
            known = use
            return true
        }
    }
}
