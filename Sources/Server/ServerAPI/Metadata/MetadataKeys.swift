import Clientless
import Cryptography
package import Entitlement
package import Observability

/// The keys metadata is encrypted for: those of the requestors' primary certificates, read once (rest-v1 19).
package struct MetadataKeys: Sendable {
    private let keys: [RequestorID: RSAEncryptionKey]

    /// A certificate that cannot be used is said in the log, and its requestor gets nothing that would have to be
    /// encrypted; the configuration reader is where an operator hears of it first.
    package init(_ catalogue: Catalogue, logger: Logger) {
        var keys: [RequestorID: RSAEncryptionKey] = [:]
        for requestor in catalogue.requestors {
            guard let certificate = requestor.metadataCertificates.first else { continue }
            do {
                keys[requestor.id] = try RSAEncryptionKey(certificatePEM: certificate)
            } catch {
                logger.error(
                    "a metadata certificate cannot be used",
                    [.requestor: .text(requestor.id.text), .error: .text(error.debugDescription)])
            }
        }
        self.keys = keys
    }

    subscript(requestor: RequestorID) -> RSAEncryptionKey? { self.keys[requestor] }
}
