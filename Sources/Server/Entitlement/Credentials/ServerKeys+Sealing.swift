package import Clientless
import Cryptography
import FoundationEssentials

/// The purpose and the owner of a sealed value; it does not open for another purpose or in another record.
package struct SealBinding: Hashable, Sendable {
    private enum Purpose: String { case login, exchange, session, browser }

    private let purpose: Purpose
    private let owner: [UInt8]

    private init(_ purpose: Purpose, _ id: some Collection<UInt8>, _ mvpd: String) {
        self.purpose = purpose
        // No purpose and no provider's ID holds a zero byte, so the parts cannot be taken for one another.
        self.owner = Array(id) + [0] + Array(mvpd.utf8)
    }

    static func login(of attempt: LoginAttempt) -> SealBinding {
        SealBinding(.login, attempt.id.bytes, attempt.mvpd.text)
    }

    /// The kept part of an attempt while its browser is at the provider.
    static func exchange(of attempt: LoginAttempt) -> SealBinding {
        SealBinding(.exchange, attempt.id.bytes, attempt.mvpd.text)
    }

    package static func session(of authentication: AuthNRecord) -> SealBinding {
        Self.session(of: authentication.id, at: authentication.mvpd)
    }

    static func session(of id: AuthNID, at mvpd: MVPDID) -> SealBinding {
        SealBinding(.session, id.text.utf8, mvpd.text)
    }

    static func browser(_ session: [UInt8]) -> SealBinding { SealBinding(.browser, session, "") }

    var associated: [UInt8] { Array(self.purpose.rawValue.utf8) + [0] + self.owner }
}

/// A value that is sealed. It writes its members itself: a sign-in seals three values, and `JSONEncoder` takes ten times
/// as long.
protocol Sealable: Decodable, Sendable {
    var json: JSONValue { get }
}

extension Timestamp {
    var json: JSONValue { .integer(self.milliseconds) }
}

extension ServerKeys {
    /// Seals what only this server may read again.
    package func sealed(_ value: JSONValue, in binding: SealBinding) throws(EntitlementError) -> [UInt8] {
        try internally("a value could not be sealed") {
            try self.seal.seal(Secret(value.bytes), authenticating: binding.associated)
        }
    }

    /// Opens what ``sealed(_:in:)`` made.
    package func opened<Value: Decodable>(
        _ sealed: [UInt8], as type: Value.Type, in binding: SealBinding
    ) throws(EntitlementError) -> Value {
        try internally("a sealed value could not be opened: the key folder lacks the sealing key, or it is damaged") {
            try self.seal.open(sealed, authenticating: binding.associated)
                .withBytes { bytes throws in try JSONDecoder().decode(type, from: Data(bytes)) }
        }
    }

    /// The session of `authentication` sealed anew under the key that seals now.
    /// - Returns: `nil` when that key sealed it already.
    /// - Throws: `internal` when no key opens it.
    package func resealedSession(of authentication: AuthNRecord) throws(EntitlementError) -> [UInt8]? {
        try self.resealed(
            authentication.sealedSession, authenticating: SealBinding.session(of: authentication).associated)
    }

    /// The private half of `pair` in the same way.
    package func resealedPrivateKey(of pair: KeyPairRecord) throws(EntitlementError) -> [UInt8]? {
        try self.resealed(pair.sealedPrivateKey, authenticating: Array(Credentials.purpose(of: pair.publicKey).utf8))
    }

    private func resealed(_ sealed: [UInt8], authenticating data: [UInt8]) throws(EntitlementError) -> [UInt8]? {
        guard !self.seal.isCurrent(sealed) else { return nil }
        return try internally("a sealed value could not be opened") {
            try self.seal.seal(try self.seal.open(sealed, authenticating: data), authenticating: data)
        }
    }
}

/// A version 4 UUID (RFC 9562, section 5.4) as lower-case text.
package func randomUUID() -> String {
    var bytes = SecureRandom.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return Hex.encode(bytes, hyphensBefore: [4, 6, 8, 10])
}
