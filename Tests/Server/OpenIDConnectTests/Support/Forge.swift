import Clientless
import Cryptography

/// A provider's key, and whatever can be signed with it.
struct SigningPair: Sendable {
    enum Key: Sendable {
        case rsa(RSAPrivateKey)
        case ec(ECPrivateKey)
    }

    let id: String?
    let key: Key

    static func ec(_ id: String?) throws -> SigningPair { SigningPair(id: id, key: .ec(try .generate())) }
    static func rsa(_ id: String?) throws -> SigningPair { SigningPair(id: id, key: .rsa(try .generate())) }

    var algorithm: String {
        switch self.key {
        case .rsa: "RS256"
        case .ec: "ES256"
        }
    }

    /// A token as a provider makes it, unless the header is replaced.
    func token(_ claims: JSONValue, header: [JSONValue.Member]? = nil) throws -> String {
        let id: [JSONValue.Member] = self.id.map { [.init("kid", .string($0))] } ?? []
        return try CompactToken.write(
            header: .object(header ?? [.init("alg", .string(self.algorithm))] + id), claims: claims
        ) { text throws(CryptographyError) in
            switch self.key {
            case .rsa(let key): try key.signature(for: text)
            case .ec(let key): try key.joseSignature(for: text)
            }
        }
    }

    func publicKey() throws -> JSONValue {
        let id: [JSONValue.Member] = self.id.map { [.init("kid", .string($0))] } ?? []
        switch self.key {
        case .ec(let key):
            // The end of a SubjectPublicKeyInfo on P-256 is 4, x and y.
            let bytes = try Self.bytes(pem: key.verificationKey.pem()).suffix(64)
            return .object(
                [
                    .init("kty", "EC"), .init("crv", "P-256"), .init("x", .string(Base64.encodeURL(bytes.prefix(32)))),
                    .init("y", .string(Base64.encodeURL(bytes.suffix(32)))),
                ] + id)
        case .rsa(let key):
            // The end of one with RSA-2048 is the modulus, then 2, 3 and the exponent 65537.
            let bytes = try Self.bytes(pem: key.verificationKey.pem()).dropLast(5).suffix(256)
            return .object(
                [.init("kty", "RSA"), .init("e", "AQAB"), .init("n", .string(Base64.encodeURL(bytes)))] + id)
        }
    }

    private static func bytes(pem: String) throws -> [UInt8] {
        let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return Base64.decodeTolerantly(lines.joined()) ?? []
    }
}

extension JSONValue {
    /// The object with members replaced; `nil` removes one.
    func with(_ changes: [(String, JSONValue?)]) -> JSONValue {
        guard case .object(var members) = self else { return self }
        for (name, value) in changes {
            members.removeAll { $0.name == name }
            if let value { members.append(.init(name, value)) }
        }
        return .object(members)
    }

    static func make(_ members: [(String, JSONValue)]) -> JSONValue { .object(members.map { Member($0.0, $0.1) }) }

    var bytes: [UInt8] { Array(self.text.utf8) }
}
