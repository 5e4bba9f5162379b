package import Clientless
import Cryptography
package import Entitlement
import Observability

/// User metadata as it leaves the server: what must be encrypted is, and what cannot be is left out (rest-v1 19).
struct ReleasedMetadata: Sendable {
    /// The longest value that is encrypted, in bytes of UTF-8: what the padding leaves of a key of 2048 bits. The same
    /// for larger keys, so that what a requestor gets does not depend on its certificate.
    static let maximumEncryptedSize = 245

    /// Seconds.
    let updated: Int64
    /// The keys whose values are encrypted, in the order of `values`.
    private(set) var encrypted: [String] = []
    private(set) var values: [(key: String, value: MetadataValue)] = []

    /// - Parameter key: of the requestor's certificate, if it has one that can be used.
    init(_ metadata: UserMetadata, key: RSAPublicKey?) {
        self.updated = metadata.updated.seconds
        for (name, value) in metadata.values {
            guard metadata.encryptedKeys.contains(name) else {
                self.values.append((name, value))
                continue
            }
            guard let key, let sealed = Self.sealed(value, for: key) else { continue }
            self.encrypted.append(name)
            self.values.append((name, .text(sealed)))
        }
    }

    private static func sealed(_ value: MetadataValue, for key: RSAPublicKey) -> String? {
        let clear = self.clearText(of: value)
        guard clear.count <= self.maximumEncryptedSize else { return nil }
        return (try? key.encrypt(clear)).map { Base64.encode($0) }
    }

    /// A text as it is; lists and texts by name as compact JSON.
    private static func clearText(of value: MetadataValue) -> [UInt8] {
        switch value {
        case .text(let text): Array(text.utf8)
        case .list, .map: value.json.bytes
        }
    }
}

extension Catalogue {
    /// The keys metadata is encrypted for: those of the requestors' primary certificates (rest-v1 19).
    ///
    /// A certificate that cannot be used is said in the log, and its requestor gets nothing that would have to be encrypted;
    /// the configuration reader is where an operator hears of it first.
    func metadataKeys(_ logger: Logger) -> [RequestorID: RSAPublicKey] {
        var keys: [RequestorID: RSAPublicKey] = [:]
        for requestor in self.requestors {
            guard let certificate = requestor.metadataCertificates.first else { continue }
            do {
                keys[requestor.id] = try RSAPublicKey(certificatePEM: certificate)
            } catch {
                logger.error(
                    "a metadata certificate cannot be used",
                    [.requestor: .text(requestor.id.text), .error: .text(error.debugDescription)])
            }
        }
        return keys
    }
}

extension MetadataValue {
    package var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .list(let texts): .texts(texts)
        case .map(let entries): .object(entries.map { .init($0.name, .string($0.value)) })
        }
    }
}

extension ReleasedMetadata {
    /// Keys are a provider's own words: JSON alone shows one that cannot name an element (rest-v1 19).
    private var data: JSONValue { .object(self.values.map { .init($0.key, $0.value.json) }) }

    /// rest-v1 19.
    private static let shape = Shape<ReleasedMetadata>(
        .init("updated", { Int($0.updated) }, .integer().described("Seconds since 1970.")),
        .init("encrypted", \.encrypted, .list(of: .text()).described("The members of `data` that are encrypted."))
            .inJSON,
        .init("encrypted", Shape(.init("key", \.self)), \.encrypted).inXML,
        .init(
            "data", \.data,
            .map(of: .any(of: [.text(), .list(of: .text()), .map(of: .text())])).described(
                "An encrypted value is a text: Base64 of RSAES-PKCS1-v1_5 under the programmer's certificate.")
        ).inJSON,
        .init("data", \.data, .members([]).described("Lists repeat their element.")).inXML)

    static let schemas: APIDescription.NamedSchemas = [
        "UserMetadata": shape.schema(.json), "UserMetadataDocument": shape.schema(.xml).element("userMetadata"),
    ]

    var document: WireDocument { WireDocument("userMetadata", Self.shape, self) }
}
