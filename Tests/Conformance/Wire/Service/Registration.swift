import HTTPClient
import RealPrograms

/// An installation of an application, registered with its software statement (rest-v1 10).
struct Registration {
    let url: String
    let clientID: String
    let clientSecret: String
    private let client: HTTPClient

    static func make(at url: String, _ statement: String, _ client: HTTPClient) async throws -> Registration {
        var request = HTTPClient.Request(.post, "\(url)/o/client/register")
        request.headers["Content-Type"] = "application/json"
        request.body = Array(#"{"software_statement":"\#(statement)"}"#.utf8)
        let response = try await client.send(request)
        guard response.status == 201, let id = try response.json["client_id"]?.text,
            let secret = try response.json["client_secret"]?.text
        else { throw GaveUp(description: "not registered: \(response.summary)") }
        return Registration(url: url, clientID: id, clientSecret: secret, client: client)
    }

    /// The answer to a call of the token endpoint, with the parameters in the body or in the query.
    func tokenAnswer(inQuery isInQuery: Bool = false) async throws -> HTTPClient.Response {
        let parameters = query([
            "grant_type": "client_credentials", "client_id": self.clientID, "client_secret": self.clientSecret,
        ])
        var request = HTTPClient.Request(.post, "\(self.url)/o/client/token")
        request.headers["Content-Type"] = isInQuery ? "application/json" : "application/x-www-form-urlencoded"
        if isInQuery { request.url += "?\(parameters)" } else { request.body = Array(parameters.utf8) }
        return try await self.client.send(request)
    }

    func accessToken() async throws -> String {
        let response = try await self.tokenAnswer()
        guard response.status == 201, let token = try response.json["access_token"]?.text else {
            throw GaveUp(description: "no access token: \(response.summary)")
        }
        return token
    }
}
