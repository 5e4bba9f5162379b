import FoundationEssentials
import HTTPClient
import RealPrograms

/// A box that signs each call with its full path: a device ID and a requestor.
struct Box: Sendable {
    let service: Service
    let id: String
    let requestor: String

    /// A box nobody has seen before.
    init(_ service: Service, requestor: String? = nil, id: String = "conformance-\(UUID())") {
        self.service = service
        self.id = id
        self.requestor = requestor ?? service.profile.requestor
    }

    /// `requestor` and `deviceId`, and what else is given, as a query.
    func parameters(_ extra: KeyValuePairs<String, String> = [:]) -> String {
        let own = query(["requestor": self.requestor, "deviceId": self.id])
        return extra.isEmpty ? own : "\(own)&\(query(extra))"
    }

    /// Calls an endpoint of `/api/v1` that takes the box's parameters.
    /// - Parameter accept: the form asked for; JSON when left out.
    func call(
        _ endpoint: String, _ extra: KeyValuePairs<String, String> = [:], method: HTTPClient.Method = .get,
        accept: String = "application/json", authorization: String? = nil
    ) async throws -> HTTPClient.Response {
        let path = "/api/v1/\(endpoint)"
        let signature = self.service.signature(method.rawValue, path, requestor: self.requestor)
        return try await self.service.send(
            method, "\(path)?\(self.parameters(extra))",
            headers: ["Accept": accept, "Authorization": authorization ?? signature])
    }

    func createCode(_ extra: KeyValuePairs<String, String> = [:]) async throws -> String {
        let response = try await self.creation(extra)
        guard response.status == 201, let code = try response.json["code"]?.text else {
            throw GaveUp(description: "no code: \(response.summary)")
        }
        return code
    }

    func creation(
        _ extra: KeyValuePairs<String, String> = [:], accept: String = "application/json"
    ) async throws -> HTTPClient.Response {
        let path = "/reggie/v1/\(self.requestor)/regcode"
        let own = query(["deviceId": self.id])
        return try await self.service.send(
            .post, path,
            headers: [
                "Accept": accept, "Authorization": self.service.signature("POST", path, requestor: self.requestor),
            ], form: extra.isEmpty ? own : "\(own)&\(query(extra))")
    }

    /// Signs in at the profile's provider, or at its other one.
    /// - Returns: the code that was used.
    @discardableResult
    func signIn(atOther isOther: Bool = false) async throws -> String {
        let code = try await self.createCode()
        try await Person(self.service).signIn(code, requestor: self.requestor, atOther: isOther)
        return code
    }

    /// Signs in and is allowed the profile's channel.
    func authorize() async throws {
        try await self.signIn()
        let answer = try await self.call("authorize", ["resource": self.service.profile.resource])
        guard answer.status == 200 else { throw GaveUp(description: "not authorized: \(answer.summary)") }
    }
}
