import Cryptography

/// An authenticator with one passkey (ES256), and the browser before it. What it says can be made wrong field by field.
package struct TestAuthenticator: Sendable {
    package var credential: [UInt8]
    /// What it keeps of the account; empty is sent as nothing.
    package var handle: [UInt8] = []
    /// What it will have counted at its next use.
    package var signCount: UInt32 = 0
    /// The viewer is there, and was verified.
    package var flags: UInt8 = 0x05
    package var origin: String
    package var party: String
    private let key: ECPrivateKey
    private let point: [UInt8]

    /// - Parameter origin: of the page, such as `https://tv.example`.
    package init(at origin: String, party: String, credential: [UInt8] = SecureRandom.bytes(16)) throws {
        self.credential = credential
        self.origin = origin
        self.party = party
        self.key = try ECPrivateKey.generate()
        let lines = try self.key.verificationKey.pem().split(separator: "\n").filter { !$0.hasPrefix("-----") }
        // The point is the end of a SubjectPublicKeyInfo.
        self.point = Array((Base64.decode(lines.joined()) ?? []).suffix(64))
    }

    /// The key in COSE: a map of five, with the labels 1, 3, -1, -2 and -3.
    package var publicKey: [UInt8] {
        var key: [UInt8] = [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
        key.append(contentsOf: self.point.prefix(32))
        key.append(contentsOf: [0x22, 0x58, 0x20])
        key.append(contentsOf: self.point.suffix(32))
        return key
    }

    package func clientData(_ kind: String, _ challenge: [UInt8]) -> [UInt8] {
        let challenge = Base64.encodeURL(challenge)
        let fields = #"{"type":"\#(kind)","challenge":"\#(challenge)","origin":"\#(self.origin)","crossOrigin":false}"#
        return Array(fields.utf8)
    }

    /// What it answers to `navigator.credentials.create`.
    package func registration(_ challenge: [UInt8]) -> (clientData: [UInt8], attestation: [UInt8]) {
        var data = self.authenticatorData(self.flags | 0x40)
        data.append(contentsOf: [UInt8](repeating: 0, count: 16))
        data.append(contentsOf: Self.size(self.credential.count))
        data.append(contentsOf: self.credential)
        data.append(contentsOf: self.publicKey)
        // A map of three: fmt "none", an empty attStmt, authData.
        var attestation: [UInt8] = [0xA3]
        attestation.append(contentsOf: "\u{63}fmt\u{64}none\u{67}attStmt".utf8)
        attestation.append(0xA0)
        attestation.append(contentsOf: "\u{68}authData".utf8)
        attestation.append(0x59)
        attestation.append(contentsOf: Self.size(data.count))
        attestation.append(contentsOf: data)
        return (self.clientData("webauthn.create", challenge), attestation)
    }

    private static func size(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    /// What it answers to `navigator.credentials.get`.
    package func assertion(
        _ challenge: [UInt8]
    ) throws -> (clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8]) {
        let clientData = self.clientData("webauthn.get", challenge)
        let data = self.authenticatorData(self.flags)
        return (clientData, data, try self.key.signature(for: data + Digest.sha256(clientData)))
    }

    private func authenticatorData(_ flags: UInt8) -> [UInt8] {
        var data = Digest.sha256(self.party.utf8)
        data.append(flags)
        for shift: UInt32 in [24, 16, 8, 0] { data.append(UInt8(truncatingIfNeeded: self.signCount >> shift)) }
        return data
    }
}
