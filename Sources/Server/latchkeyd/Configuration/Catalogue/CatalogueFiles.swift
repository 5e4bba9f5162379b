import Clientless
import Cryptography
import Entitlement

/// The files that belong to the catalogue, as they were configured, and the catalogue with what is in them.
struct CatalogueFiles: Sendable {
    /// The longest certificate file and SAML document that is read, in bytes.
    private static let maximumSize = 1 << 18

    private var certificates: [RequestorID: [String]] = [:]
    private var platforms: [RequestorID: [MVPDID: PlatformSettings.Files]] = [:]

    mutating func add(_ settings: RequestorSettings, of requestor: RequestorID) {
        self.certificates[requestor] = settings.certificateFiles
        self.platforms[requestor] = settings.platformFiles
    }

    /// All of them, as they were configured.
    var names: [String] {
        let platforms = self.platforms.values.flatMap { $0.values.flatMap { [$0.profileRequest, $0.issuerMetadata] } }
        return (self.certificates.values.flatMap(\.self) + platforms.compactMap(\.self)).sorted()
    }

    /// The catalogue with the contents of the files.
    /// - Parameters:
    ///   - path: a configured path as the system takes it.
    ///   - faults: of the files, as sentences that begin with the setting.
    func filled(_ catalogue: Catalogue, path: (String) -> String, _ faults: inout [String]) -> Catalogue {
        let requestors = catalogue.requestors.map { requestor in
            var complete = requestor
            let place = "requestors \(requestor.id)"
            complete.metadataCertificates = (self.certificates[requestor.id] ?? []).compactMap {
                Self.certificate(path($0), "\(place), metadataCertificates", &faults)
            }
            for (index, integration) in requestor.integrations.enumerated() where integration.platform != nil {
                guard let files = self.platforms[requestor.id]?[integration.mvpd] else { continue }
                let setting = "\(place), integration with \(integration.mvpd), platform"
                complete.integrations[index].platform?.profileRequest = files.profileRequest.flatMap {
                    Self.contents(path($0), "\(setting).profileRequest", &faults)
                }
                complete.integrations[index].platform?.issuerMetadata = files.issuerMetadata.flatMap {
                    Self.contents(path($0), "\(setting).issuerMetadata", &faults)
                }.map { String(decoding: $0, as: UTF8.self) }
            }
            return complete
        }
        return Catalogue(requestors: requestors, mvpds: catalogue.mvpds, regions: catalogue.regions)
    }

    private static func certificate(_ file: String, _ setting: String, _ faults: inout [String]) -> String? {
        guard let bytes = Self.contents(file, setting, &faults) else { return nil }
        let pem = String(decoding: bytes, as: UTF8.self)
        guard (try? RSAEncryptionKey(certificatePEM: pem)) == nil else { return pem }
        faults.append("\(setting): The file \(file) holds no certificate of an RSA key in PEM.")
        return nil
    }

    private static func contents(_ file: String, _ setting: String, _ faults: inout [String]) -> [UInt8]? {
        do throws(OperatorError) {
            return Array(try PrivateFiles.read(file, limit: self.maximumSize))
        } catch {
            faults.append("\(setting): \(error.sentence)")
            return nil
        }
    }
}
