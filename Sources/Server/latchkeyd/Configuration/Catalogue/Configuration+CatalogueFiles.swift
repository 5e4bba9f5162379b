import Clientless
import Cryptography
import Entitlement

extension Configuration {
    /// The longest certificate file and SAML document that is read, in bytes.
    private static let maximumFile = 1 << 18

    /// The catalogue with the contents of the files.
    /// - Parameter faults: of the files, as sentences that begin with the setting.
    func filledCatalogue(_ faults: inout [String]) -> Catalogue {
        let requestors = self.catalogue.requestors.map { requestor in
            let settings = self.requestors[requestor.id]
            var complete = requestor
            let place = "requestors \(requestor.id)"
            complete.metadataCertificates = (settings?.certificateFiles ?? []).compactMap {
                Self.certificate(self.path($0), "\(place), metadataCertificates", &faults)
            }
            for (index, integration) in requestor.integrations.enumerated() where integration.platform != nil {
                guard let files = settings?.integrations[index].platform else { continue }
                let setting = "\(place), integration with \(integration.mvpd), platform"
                complete.integrations[index].platform?.profileRequest = files.profileRequestFile.flatMap {
                    Self.contents(self.path($0), "\(setting).profileRequest", &faults)
                }
                complete.integrations[index].platform?.issuerMetadata = files.issuerMetadataFile.flatMap {
                    Self.contents(self.path($0), "\(setting).issuerMetadata", &faults)
                }.map { String(decoding: $0, as: UTF8.self) }
            }
            return complete
        }
        return Catalogue(requestors: requestors, mvpds: self.catalogue.mvpds, regions: self.catalogue.regions)
    }

    private static func certificate(_ file: String, _ setting: String, _ faults: inout [String]) -> String? {
        guard let bytes = Self.contents(file, setting, &faults) else { return nil }
        let pem = String(decoding: bytes, as: UTF8.self)
        guard (try? RSAPublicKey(certificatePEM: pem)) == nil else { return pem }
        faults.append("\(setting): The file \(file) holds no certificate of an RSA key in PEM.")
        return nil
    }

    private static func contents(_ file: String, _ setting: String, _ faults: inout [String]) -> [UInt8]? {
        do throws(OperatorError) {
            return Array(try PrivateFiles.read(file, limit: self.maximumFile))
        } catch {
            faults.append("\(setting): \(error.sentence)")
            return nil
        }
    }
}
