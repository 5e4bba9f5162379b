import CommandLineTool
import Cryptography
import Entitlement
import Providers

extension Configuration {
    /// The path at which issuers deliver assertions, below the public URL (rest-v1 13.4).
    private static let consumerPath = "/sp/saml/SAMLAssertionConsumer"

    /// The reader of the assertions of platforms; `nil` if no integration takes any.
    /// - Parameters:
    ///   - catalogue: complete.
    ///   - faults: of the key and the metadata, as sentences that begin with the setting.
    func platformExchange(for catalogue: Catalogue, _ faults: inout [String]) -> PlatformExchange? {
        let boardings = catalogue.requestors.flatMap { requestor in
            requestor.integrations.compactMap { integration in
                integration.platform.map { (requestor.id, integration.mvpd, $0) }
            }
        }.filter { $0.2.takesPart && !$0.2.takesBoxAccounts }
        guard !boardings.isEmpty else { return nil }
        let assertions: LassoPlatformAssertions
        do {
            assertions = try self.platformAssertions()
        } catch {
            faults.append("platform.decryptionKey: \(error.sentence)")
            return nil
        }
        for (requestor, mvpd, boarding) in boardings {
            do throws(ProviderError) {
                try assertions.check(boarding)
            } catch {
                faults.append(
                    "requestors \(requestor), integration with \(mvpd), platform.issuerMetadata: \(error.detail)")
            }
        }
        let publicURL = self.server.publicURL
        return (assertions, self.platform.entityID ?? publicURL, publicURL + Self.consumerPath)
    }

    private func platformAssertions() throws(OperatorError) -> LassoPlatformAssertions {
        let settings = self.platform
        var key: Secret?
        if let file = settings.decryptionKeyFile.map(self.path) {
            if let sentence = PrivateFiles.openness(of: file) {
                throw OperatorError(sentence, exitCode: .configuration)
            }
            key = Secret(try PrivateFiles.read(file, limit: 65_536))
        }
        do throws(ProviderError) {
            return try LassoPlatformAssertions(privateKey: key, acceptsSHA1: settings.acceptsSHA1)
        } catch {
            throw OperatorError("\(error.detail).", exitCode: .configuration)
        }
    }
}
