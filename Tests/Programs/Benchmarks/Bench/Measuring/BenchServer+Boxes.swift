import HTTPClient
import RealPrograms
import TestSupport

extension BenchServer {
    /// Tokens of installations of one application, each registered for itself (rest-v1 10.2, 10.3).
    func bearerTokens(_ count: Int) async throws -> [String] {
        let demo = self.running.demo
        let statement = try await self.softwareStatement(for: [Self.requestor])
        let client = HTTPClient()
        var tokens: [String] = []
        try await ending({ await client.shutDown() }) {
            for index in 0..<count {
                // Each from a network of its own: one registers only so many.
                let request = Self.form(
                    "\(demo.url)/o/client/register", ["software_statement": statement],
                    from: LoadFiles.address(index << 8))
                // The server hears of a new application within a second.
                let registered = try await eventually("registration of a client") {
                    let answer = try await client.send(request)
                    return answer.status == 201 ? answer : nil
                }
                let installation = try JSON(parsing: String(decoding: registered.body, as: UTF8.self))
                guard let id = installation["client_id"]?.text, let secret = installation["client_secret"]?.text
                else { throw NotMeasured(description: "a registration named no client") }
                let issued = try await client.send(
                    Self.form(
                        "\(demo.url)/o/client/token",
                        ["grant_type": "client_credentials", "client_id": id, "client_secret": secret]))
                let answer = try JSON(parsing: String(decoding: issued.body, as: UTF8.self))
                guard let token = answer["access_token"]?.text
                else { throw NotMeasured(description: "no token was issued: \(issued.status)") }
                tokens.append(token)
            }
        }
        return tokens
    }

    /// Pairs a box through the pages, as its viewer does.
    func signIn(_ box: Box) async throws {
        // Of a household of its own, as an address begins only so many logins.
        let phone = Phone(behindProxyAt: LoadFiles.address(box.deviceID.hashValue))
        let page = try await phone.walkToConfirmation(
            from: "\(self.url)/activate?code=\(box.code)", as: self.running.demo.viewer)
        _ = try await phone.decide(.confirm, on: page)
    }

    /// Makes a signed call for a box.
    /// - Parameter isHeld: whether the box would rather wait than be told that there is nothing yet.
    /// - Throws: when it is not answered 200.
    func call(_ path: String, with client: HTTPClient, nonce: String, isHeld: Bool = false) async throws {
        var request = HTTPClient.Request(.get, self.url + path)
        if isHeld {
            request.headers["Prefer"] = "wait=50"
            request.timeout = .seconds(120)
        }
        request.headers["Authorization"] = self.authorization("GET", withoutQuery(path), nonce: nonce)
        let status = try await client.send(request).status
        guard status == 200 else { throw NotMeasured(description: "a call was answered \(status) instead of 200") }
    }

    /// Asks for a code for a box as it does. - Returns: the status of the answer.
    func create(for device: String, with client: HTTPClient, from address: String? = nil) async throws -> Int {
        var request = Self.form(self.url + self.creationPath, ["deviceId": device], from: address)
        request.headers["Authorization"] = self.authorization("POST", self.creationPath, nonce: "create-\(device)")
        return try await client.send(request).status
    }

    /// Of an application of these brands, which it registers.
    func softwareStatement(for requestors: [String]) async throws -> String {
        let demo = self.running.demo
        let (end, output, talk) = try await ChildProcess(
            self.programs.server,
            [
                "keys", "application", "issue", "--config", demo.serverConfiguration, "--json", "--name", "Bench",
            ] + requestors.flatMap { ["--requestor", $0] }
        ).run()
        guard end == .exited(0), let statement = try JSON(parsing: output)["softwareStatement"]?.text
        else { throw NotMeasured(description: "no application was registered: \(talk)") }
        return statement
    }

    private static func form(
        _ url: String, _ fields: [String: String], from address: String? = nil
    ) -> HTTPClient.Request {
        var request = HTTPClient.Request(.post, url)
        if let address { request.headers["X-Forwarded-For"] = address }
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.body = Array(HTMLForm.urlEncoded(fields.map { (name: $0.key, value: $0.value) }).utf8)
        return request
    }
}
