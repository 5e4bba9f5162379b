import Clientless
import Cryptography
import Synchronization

package final class ProviderKey: Sendable {
    /// The provider's name for it; `nil` if it has none.
    package let id: String?
    package let kind: SignatureAlgorithm.KeyKind
    /// The one algorithm the provider uses it with; `nil` if it does not say.
    package let algorithm: SignatureAlgorithm?
    /// One at a time: cjose counts references without locks, and its manual does not speak of threads.
    private let handle: Mutex<JWKHandle>

    /// - Returns: `nil` for keys that verify nothing here: for encryption, with a shared secret, of another curve, too
    ///   small, or larger than a signature may cost.
    init?(_ key: JSONValue) {
        let id = key["kid"]
        guard id == nil || (id?.string.map { (1...256).contains($0.utf8.count) } ?? false) else { return nil }
        guard key["use"]?.string ?? "sig" == "sig" else { return nil }
        if let operations = key["key_ops"] {
            guard operations.array?.contains(.string("verify")) ?? false else { return nil }
        }
        let names: [String]
        switch key["kty"]?.string {
        case "RSA":
            guard let modulus = Self.number(key["n"], of: 256...1024), modulus[0] >= 0x80 || modulus.count > 256,
                Self.number(key["e"], of: 1...8) != nil
            else { return nil }
            self.kind = .rsa
            names = ["kty", "n", "e"]
        case "EC":
            let sizes = ["P-256": 32, "P-384": 48, "P-521": 66]
            guard let curve = key["crv"]?.string, let size = sizes[curve],
                Self.bytes(key["x"])?.count == size, Self.bytes(key["y"])?.count == size
            else { return nil }
            self.kind = .ec(curve: curve)
            names = ["kty", "crv", "x", "y"]
        default: return nil
        }
        self.algorithm = key["alg"]?.string.flatMap(SignatureAlgorithm.init(rawValue:))
        guard key["alg"] == nil || self.algorithm?.keyKind == self.kind else { return nil }
        self.id = id?.string
        // Written anew: cjose sees neither a private part nor a member that is not of this kind of key.
        let text = JSONValue.object(names.map { .init($0, key[$0] ?? .null) }).text
        guard let handle = JWKHandle.read(text) else { return nil }
        self.handle = Mutex(handle)
    }

    /// Whether a token made with `algorithm` may be this key's.
    func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        self.kind == algorithm.keyKind && (self.algorithm ?? algorithm) == algorithm
    }

    /// The signed bytes; `nil` if this key did not sign it with the algorithm, or cjose cannot read the token.
    func verified(_ token: String, _ algorithm: SignatureAlgorithm) -> [UInt8]? {
        self.handle.withLock { key in
            guard let token = SignatureHandle.read(token), token.isMade(with: algorithm.rawValue) else { return nil }
            return token.verified(by: key)
        }
    }

    private static func bytes(_ value: JSONValue?) -> [UInt8]? {
        guard let text = value?.string, text.utf8.count <= 2_048 else { return nil }
        return Base64.decodeURL(text)
    }

    /// A number without its leading zero bytes, which some providers write.
    private static func number(_ value: JSONValue?, of size: ClosedRange<Int>) -> [UInt8]? {
        guard let bytes = self.bytes(value) else { return nil }
        let digits = Array(bytes.drop { $0 == 0 })
        return size.contains(digits.count) ? digits : nil
    }
}
