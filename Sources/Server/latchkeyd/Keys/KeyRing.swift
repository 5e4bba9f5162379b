package import Clientless
package import Cryptography
package import Entitlement
import Synchronization

/// The signing keys of a running server. Keys come and go while it runs; every use asks here for those of the moment.
package final class KeyRing: Sendable {
    /// The longest life of token documents is that of a sign-in or trial that is configured, or was when one was signed.
    package typealias Rules = (lead: Duration, documentLives: DocumentLives)

    private let current: Mutex<KeyFolder.Contents>
    private let replacements = Atomic<Int>(0)
    private let rules: Mutex<Rules>
    private let now: @Sendable () -> Timestamp

    package init(_ contents: KeyFolder.Contents, rules: Rules, now: @escaping @Sendable () -> Timestamp) {
        self.current = Mutex(contents)
        self.rules = Mutex(rules)
        self.now = now
    }

    package func follow(_ rules: Rules) {
        self.rules.withLock { $0 = rules }
        self.replacements.add(1, ordering: .releasing)
    }

    /// Takes the signing and sealing keys of `contents` in place of those it has. The keys derived from the master
    /// secret stay: every hash in the store was made with it.
    package func replace(with contents: KeyFolder.Contents) {
        self.current.withLock { $0 = contents }
        self.replacements.add(1, ordering: .releasing)
    }

    /// Lets `keys` seal with the newest sealing key that every server has had time to read.
    package func arrangeSealing(of keys: ServerKeys) {
        let sealing = KeyFolder.order(self.contents.sealing, at: self.now())
        if let first = sealing.first, first.id != keys.seal.current.id || sealing.count != keys.seal.count {
            keys.seal.replace(with: sealing)
        }
    }

    /// How often the keys were replaced; what was found out under other keys has to be found out again.
    package var generation: Int { self.replacements.load(ordering: .acquiring) }
    var fingerprint: [String: [Int64]] { self.contents.fingerprint }

    /// Whether a key is not in `contents` although what it signed still counts.
    func missesKey(in contents: KeyFolder.Contents) -> Bool {
        let (rules, now, used) = (self.rules.withLock { $0 }, self.now(), self.contents.marks)
        return KeyUse.allCases.contains {
            !$0.missing(in: contents.marks, of: used, lead: rules.lead, rules.documentLives, at: now).isEmpty
        }
    }

    var marks: Set<String> { Set(self.contents.marks.keys) }

    package var tokenSigning: TokenDocumentSigner.Keys {
        self.current(.tokenSigning, self.contents.tokenSigning) { $0.verificationKey }
    }

    package var documentSigner: TokenDocumentSigner { TokenDocumentSigner { self.tokenSigning } }

    package var accessToken: (signing: ECPrivateKey, accepted: [ECPublicKey]) {
        let keys = self.current(.accessToken, self.contents.accessToken) { $0.publicKey }
        return (keys.signing, keys.accepted())
    }

    /// The keys whose software statements count: all there are.
    package var softwareStatement: [RSAPublicKey] { self.contents.softwareStatement.map(\.key.publicKey) }

    /// The key that signs software statements: the newest. `nil` if there is none.
    package var statementSigning: RSAPrivateKey? { self.contents.softwareStatement.first?.key }
    private var contents: KeyFolder.Contents { self.current.withLock { $0 } }

    /// The key that signs now, and the public halves of all whose signatures count.
    private func current<Key, Half>(
        _ use: KeyUse, _ keys: [KeyFolder.DatedKey<Key>], _ half: @escaping (Key) -> Half
    ) -> (signing: Key, accepted: () -> [Half]) {
        let (rules, now) = (self.rules.withLock { $0 }, self.now())
        let schedule = KeySchedule(
            made: keys.map(\.made), lead: rules.lead, longestLife: use.life(rules.documentLives, at: now))
        return (keys[schedule.signing(at: now)].key, { schedule.accepted(at: now).map { half(keys[$0].key) } })
    }
}
