import Clientless
import CommandLineTool
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

    /// The faults of the files, as sentences that begin with the setting.
    /// - Parameter path: a configured path as the system takes it.
    func faults(of catalogue: Catalogue, path: (String) -> String) -> [String] {
        var faults: [String] = []
        _ = self.filled(catalogue, path: path) { faults.append($0) }
        return faults
    }

    /// The catalogue with the contents of the files.
    /// - Throws: for the first file that is missing or unusable.
    func filled(_ catalogue: Catalogue, path: (String) -> String) throws(OperatorError) -> Catalogue {
        var first: String?
        let filled = self.filled(catalogue, path: path) { first = first ?? $0 }
        if let first {
            throw OperatorError(
                first, advice: "'latchkeyd check-config' lists everything that is wrong.", exitCode: .configuration)
        }
        return filled
    }

    private func filled(
        _ catalogue: Catalogue, path: (String) -> String, report: (String) -> Void
    ) -> Catalogue {
        func contents(_ file: String, _ setting: String) -> [UInt8]? {
            do throws(OperatorError) {
                return Array(try PrivateFiles.read(path(file), limit: Self.maximumSize))
            } catch {
                report("\(setting): \(error.sentence)")
                return nil
            }
        }
        let requestors = catalogue.requestors.map { requestor in
            let place = "requestors \(requestor.id)"
            let certificates = (self.certificates[requestor.id] ?? []).compactMap { file -> String? in
                let setting = "\(place), metadataCertificates"
                guard let bytes = contents(file, setting) else { return nil }
                let pem = String(decoding: bytes, as: UTF8.self)
                guard (try? RSAEncryptionKey(certificatePEM: pem)) != nil else {
                    report("\(setting): The file \(path(file)) holds no certificate of an RSA key in PEM.")
                    return nil
                }
                return pem
            }
            let integrations = requestor.integrations.map { integration in
                guard let boarding = integration.platform,
                    let files = self.platforms[requestor.id]?[integration.mvpd]
                else { return integration }
                let setting = "\(place), integration with \(integration.mvpd), platform"
                let request = files.profileRequest.flatMap { contents($0, "\(setting).profileRequest") }
                let issuer = files.issuerMetadata.flatMap { contents($0, "\(setting).issuerMetadata") }
                var complete = integration
                complete.platform = boarding
                complete.platform?.profileRequest = request
                complete.platform?.issuerMetadata = issuer.map { String(decoding: $0, as: UTF8.self) }
                return complete
            }
            var complete = requestor
            complete.integrations = integrations
            complete.metadataCertificates = certificates
            return complete
        }
        return Catalogue(requestors: requestors, mvpds: catalogue.mvpds, regions: catalogue.regions)
    }
}
