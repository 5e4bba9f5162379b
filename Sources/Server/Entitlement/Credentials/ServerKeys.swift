package import Clientless
package import Cryptography
import Synchronization

/// The keys the server works with, all but the token-signing one derived from one master secret, so that every node
/// given the same folder of keys gives the same answers.
///
/// A class: most calls ask for one of the keys, and a copy of the value counted references for each.
package final class ServerKeys: Sendable {
    /// The length of the master secret in bytes.
    package static let masterSecretSize = 32

    package let devices: KeyedHash
    /// The hashes that were asked for last: a box says its ID with every call.
    private let deviceHashes = BoundedMemory<DeviceID, DeviceHash>(bound: 65_536)
    /// For the device IDs this server gives out. It differs from the key above, as a caller must not learn what the
    /// store keeps of a device ID (sdk-services 2).
    package let individuals: KeyedHash
    /// For the hashes of login attempts, client secrets and browser sessions.
    package let tokens: KeyedHash
    /// For the anti-forgery tokens of forms.
    package let forms: KeyedHash
    /// For pseudonymous user IDs (rest-v1 14.3).
    package let userIDs: KeyedHash
    /// For the hashes of the names that providers have for sessions.
    package let providerSessions: KeyedHash
    /// For the challenges that browsers' passkeys answer.
    let challenges: KeyedHash
    /// For what accounts are called to authenticators: not the ID, which may be a name.
    let passkeyHandles: KeyedHash
    /// The hash by which a store tells the master secret from others: lower-case hex.
    package let mark: String
    /// For what the store keeps sealed. Its keys may be exchanged while the server runs.
    package let seal: SealingKeys

    /// - Parameter sealing: the keys of ``seal``, the one that seals first. If there are none, a key derived from the
    ///   master secret seals, as it did before sealing keys had files of their own.
    /// - Throws: `unusableKey` when `masterSecret` is not of ``masterSecretSize`` bytes.
    package init(masterSecret: Secret, sealing: [SealingKeys.Key] = []) throws(CryptographyError) {
        let derivation = try KeyedHash(key: masterSecret)
        // One label a use: a value made for one purpose means nothing to another.
        func key(_ label: String) -> Secret { Secret(derivation.hash(of: "latchkey/1/\(label)")) }
        self.devices = try KeyedHash(key: key("devices"))
        self.individuals = try KeyedHash(key: key("individuals"))
        self.tokens = try KeyedHash(key: key("tokens"))
        self.forms = try KeyedHash(key: key("forms"))
        self.userIDs = try KeyedHash(key: key("user-ids"))
        self.providerSessions = try KeyedHash(key: key("provider-sessions"))
        self.challenges = try KeyedHash(key: key("challenges"))
        self.passkeyHandles = try KeyedHash(key: key("passkey-handles"))
        self.mark = Hex.encode(derivation.hash(of: "latchkey/1/mark"))
        self.seal = SealingKeys(sealing.isEmpty ? [try SealingKeys.Key(Self.derivedSealingKey(masterSecret))] : sealing)
    }

    /// The sealing key of a set-up whose sealing keys have no files.
    package static func derivedSealingKey(_ masterSecret: Secret) throws(CryptographyError) -> Secret {
        Secret(try KeyedHash(key: masterSecret).hash(of: "latchkey/1/seal"))
    }

    package func deviceHash(_ device: DeviceID) -> DeviceHash {
        self.deviceHashes[device]
            ?? self.deviceHashes.update(device, initial: DeviceHash(bytes: self.devices.hash(of: device.text))) { $0 }
    }

    /// Forgets the hashes that no one asked for since the call before the last one.
    func age() { self.deviceHashes.age() }

    /// The hash that a browser session is known by; its secret is in the browser alone.
    package func sessionHash(_ browser: Browser) -> [UInt8] {
        browser.hash.withLock { hash in
            let made = hash ?? browser.secret.withBytes { self.tokens.hash(of: $0) }
            hash = made
            return made
        }
    }

    /// The hash that a provider's session is found by when the provider ends it (``AuthNRecord/providerSession``).
    package func providerSession(_ name: String, of mvpd: MVPDID) -> [UInt8] {
        self.providerSessions.hash(of: "\(mvpd.text)|\(name)")
    }

    /// The log's stand-in for the name that a viewer typed to sign in, whether the account exists or not.
    package func loginName(_ name: String, of mvpd: MVPDID) -> String {
        let bare = name.prefix(256).lowercased().filter { !$0.isWhitespace }
        return Hex.encode(self.userIDs.hash(of: "login|\(mvpd.text)|\(bare)").prefix(8))
    }

    /// The pseudonym of a provider's viewer: lower-case hex, the same on every device (rest-v1 14.3).
    package func userID(_ upstreamUserID: String, of mvpd: MVPDID) -> String {
        Hex.encode(self.userIDs.hash(of: "\(mvpd.text)|\(upstreamUserID)"))
    }
}

/// The browser of a request: the secret of its session, and the hash of that, which is made once.
package final class Browser: Sendable {
    package let secret: Secret
    fileprivate let hash = Mutex<[UInt8]?>(nil)

    package init(_ secret: Secret) { self.secret = secret }
}
