import FoundationEssentials
import TestSupport

/// Debian's simplesamlphp as `deploy/check/simplesamlphp` sets it up; ended when released.
package final class RunningSAMLProvider: Sendable {
    package let entityID: String
    package let url: String
    /// The address of its metadata, which it signs with ``certificate``.
    package let metadata: String
    /// The file of the certificate, in PEM.
    package let certificate: String
    private let process: ChildProcess

    /// What servers call the provider.
    package static let id = "RealTV"
    package static let viewer = Viewer(account: "anna", password: "anna-password", provider: id)
    /// Whom the provider refuses.
    package static let refused = Viewer(account: "cara", password: "cara-password", provider: id)

    /// - Parameter service: where our server says what a provider has to know of it.
    package static func start(in folder: String, service: String) async throws -> RunningSAMLProvider {
        let process = try ChildProcess(
            "deploy/check/simplesamlphp", [folder, service], environment: ["HOME": "/tmp", "LC_ALL": "C.UTF-8"])
        for await line in process.outputLines {
            let facts = try JSON(parsing: line)
            guard let entityID = facts["entityID"]?.text, let url = facts["url"]?.text,
                let metadata = facts["metadata"]?.text, let certificate = facts["certificate"]?.text
            else { break }
            return RunningSAMLProvider(entityID, url: url, metadata: metadata, certificate: certificate, process)
        }
        let talk = await process.talkLines.reduce(into: "") { $0 += $1 + "\n" }
        throw GaveUp(description: "the provider did not start: \(talk)")
    }

    private init(_ entityID: String, url: String, metadata: String, certificate: String, _ process: ChildProcess) {
        self.entityID = entityID
        self.url = url
        self.metadata = metadata
        self.certificate = certificate
        self.process = process
    }

    deinit { self.process.send(15) }

    /// Where the server of `demo` says what the provider has to know of it.
    package static func service(of demo: DemoFolder) -> String { "\(demo.url)/sp/metadata/\(Self.id)" }

    /// Configures a server so that viewers of all its requestors can sign in at the provider.
    /// - Parameter key: an RSA key in PEM.
    package func configure(_ demo: DemoFolder, key: String) throws {
        let file = "\(demo.path)/saml.pem"
        try Data(key.utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        try demo.configure { configuration in
            let settings: JSON = [
                "metadataAddress": .text(self.metadata), "metadataCertificate": .text(self.certificate),
                "keys": ["saml.pem"], "lineUpAttribute": "channels",
                "metadata": [["key": "zip", "claim": "zip", "list": true]],
            ]
            let television: JSON = ["id": .text(Self.id), "name": "Real TV", "kind": "saml", "saml": settings]
            DemoFolder.add([television], to: &configuration)
        }
    }

    /// Signs a viewer in at the provider's pages, from an address of ours that leads there, up to the page with the answer
    /// for our server.
    package func answer(
        on phone: Phone, from address: String, as viewer: Viewer = RunningSAMLProvider.viewer
    ) async throws -> Phone.Page {
        let page = try await phone.open(address)
        guard let form = page.form(having: "password") else {
            // A viewer who is signed in there is not asked.
            if page.form(having: "SAMLResponse") != nil { return page }
            throw Phone.Stuck(description: "the provider asks for no password: \(page.summary)")
        }
        let answer = try await phone.submit(
            form, of: page, typing: ["username": viewer.account, "password": viewer.password])
        guard answer.form(having: "SAMLResponse") != nil
        else { throw Phone.Stuck(description: "the provider does not answer: \(answer.summary)") }
        return answer
    }

    /// Sends the answer, as the provider's page does with JavaScript, and shows where that leads.
    package func deliver(_ answer: Phone.Page, on phone: Phone) async throws -> Phone.Page {
        guard let form = answer.form(having: "SAMLResponse")
        else { throw Phone.Stuck(description: "no answer: \(answer.summary)") }
        return try await phone.submit(form, of: answer)
    }

    /// Signs the viewer of a phone out at the provider, which tells all that it signed the viewer in to.
    package func signOut(_ phone: Phone) async throws -> Phone.Page {
        try await phone.open("\(self.url)/saml2/idp/SingleLogoutService.php?ReturnTo=\(self.url)/")
    }
}
