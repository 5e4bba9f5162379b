import FoundationEssentials
import HTTPClient
import TestSupport

/// Debian's glewlwyd as `deploy/check/glewlwyd` sets it up; ended when released.
package final class RunningOpenIDProvider: Sendable {
    package let issuer: String
    package let url: String
    private let process: ChildProcess

    /// What the client has there that proves itself with a plain secret.
    package static let client = (id: "latchkey", secret: "secret-of-latchkey-1")
    /// What servers call the provider.
    package static let id = "RealTV"
    package static let viewer = Viewer(account: "anna", password: "anna-password", provider: RunningOpenIDProvider.id)

    /// - Parameter back: where browsers come back to.
    package static func start(in folder: String, back: String) async throws -> RunningOpenIDProvider {
        let process = try ChildProcess(
            "deploy/check/glewlwyd", [folder, back], environment: ["HOME": "/tmp", "LC_ALL": "C.UTF-8"])
        for await line in process.outputLines {
            let facts = try JSON(parsing: line)
            guard let issuer = facts["issuer"]?.text, let url = facts["url"]?.text else { break }
            return RunningOpenIDProvider(issuer: issuer, url: url, process)
        }
        let talk = await process.talkLines.reduce(into: "") { $0 += $1 + "\n" }
        throw GaveUp(description: "the provider did not start: \(talk)")
    }

    private init(issuer: String, url: String, _ process: ChildProcess) {
        self.issuer = issuer
        self.url = url
        self.process = process
    }

    deinit { self.process.send(15) }

    /// Configures a server so that viewers of all its requestors can sign in at the provider.
    package func configure(_ demo: DemoFolder) throws {
        let secret = "\(demo.path)/real-tv.secret"
        try Data("\(Self.client.secret)\n".utf8).write(to: URL(filePath: secret))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        try demo.configure { configuration in
            let settings: JSON = [
                "issuer": .text(self.issuer), "clientID": .text(Self.client.id),
                "clientSecret": "real-tv.secret", "lineUpClaim": "channels",
                "metadata": [["key": "zip", "claim": "zip", "list": true]],
            ]
            let television: JSON = ["id": .text(Self.id), "name": "Real TV", "kind": "oidc", "oidc": settings]
            DemoFolder.add([television], to: &configuration)
        }
    }

    /// Where the server of `demo` takes the provider's answers.
    package static func back(of demo: DemoFolder) -> String { "\(demo.url)/sp/login/\(Self.id)" }

    /// Plays a viewer's browser at the provider's pages, which need JavaScript, from an address of ours that leads there.
    /// - Returns: where the provider sends the browser.
    package func signIn(from address: String, as viewer: Viewer = RunningOpenIDProvider.viewer) async throws -> String {
        try await Self.signIn(at: self.url, from: address, as: viewer)
    }

    /// The same at a provider that another program started.
    /// - Parameter url: where the provider's pages are.
    /// - Throws: ``GaveUp`` when it does not take the viewer.
    package static func signIn(at url: String, from address: String, as viewer: Viewer) async throws -> String {
        let browser = HTTPClient()
        let jar = CookieJar()
        func send(_ method: HTTPClient.Method, _ url: String, _ body: JSON? = nil) async throws -> HTTPClient.Response {
            var request = HTTPClient.Request(method, url, body: try body.map { Array(try $0.encoded().utf8) })
            if body != nil { request.headers.append("Content-Type", "application/json") }
            request.cookieJar = jar
            return try await browser.send(request)
        }
        let asked = try await send(.get, address)
        guard let page = asked.headers["location"],
            let further = URLComponents(string: page)?.queryItems?.first(where: { $0.name == "callback_url" })?.value
        else { throw GaveUp(description: "the provider answered \(asked.status): \(asked.text.prefix(300))") }
        let login: JSON = .object(["username": .text(viewer.account), "password": .text(viewer.password)])
        let signedIn = try await send(.post, "\(url)/api/auth/", login)
        let granted = try await send(
            .put, "\(url)/api/auth/grant/\(Self.client.id)", .object(["scope": .text("openid")]))
        let answer = try await send(.get, "\(further)&g_continue")
        await browser.shutDown()
        guard signedIn.status == 200, granted.status == 200, let location = answer.headers["location"] else {
            throw GaveUp(
                description: "the provider answered \(signedIn.status), \(granted.status) and \(answer.status)")
        }
        return location
    }
}
