import Clientless
import Cryptography
import HTTPClient
import TextCoding

// Sign-ins without a code (sdk-services 6, rest-v1 21).
extension ServerCall {
    func profileRequest(mvpdID: String) async throws(EntitlementError) -> [UInt8] {
        let answer = try await self.send(
            .init(
                method: .get, path: "/api/v1/\(self.requestor)/profile-requests/\(PercentCoding.encoded(mvpdID))",
                query: [("deviceType", "tvOS"), ("deviceId", self.deviceID.text)], accept: "application/octet-stream"))
        guard answer.status == 200, !answer.body.isEmpty else { throw answer.error }
        return answer.body
    }

    func exchangeProfile(_ samlResponse: String, mvpdID: String) async throws(EntitlementError) -> NativeSession {
        try await self.signIn("platform", [("mso_id", mvpdID), ("SAMLResponse", samlResponse)])
    }

    /// The server's word, to the requestor behind `request`, that the sign-in of this token holds.
    func profile(for request: [UInt8], by token: String) async throws(EntitlementError) -> String {
        let form = [("authentication_token", token), ("profile_request", Base64.encode(request))]
        let answer = try await self.service("profile", form)
        guard answer.status == 200, let profile = answer.xml?["profile"] else { throw serviceError(answer) }
        return profile
    }

    /// A sign-in by the sign-in of another requestor; `nil` when that is not possible.
    func passiveAuthentication(with token: String, mvpdID: String) async throws(EntitlementError) -> NativeSession? {
        let form = [("mso_id", mvpdID), ("authentication_token", token)]
        let answer = try await self.service("passive", form)
        switch answer.status {
        case 200: return try nativeSession(in: answer)
        case 409: return nil
        default: throw serviceError(answer)
        }
    }

    func temporaryAuthentication(
        mvpdID: String, data: [String: String]
    ) async throws(EntitlementError) -> NativeSession {
        try await self.signIn("temporary", [("mso_id", mvpdID)] + genericData(data))
    }

    /// By way of the sign-in of the device (rest-v1 14.3), which takes a proof and changes nothing; a device without one is an
    /// answer, too.
    func checkCredential() async throws(EntitlementError) {
        let query = [("requestor", self.requestor.text), ("deviceId", self.deviceID.text)]
        let answer = try await self.send(.init(method: .get, path: "/api/v1/tokens/authn", query: query))
        guard [200, 404, 410].contains(answer.status) else { throw answer.error }
    }

    /// By way of what the provider says of the viewer (sdk-services 6), which is not looked at.
    func checkSignIn(_ token: String) async throws(EntitlementError) {
        let form = [("authentication_token", token)]
        let answer = try await self.service("usermetadata", form, accept: "application/json")
        let document = answer.xml
        switch answer.status {
        case 200 where document == nil: return
        // The sign-in holds, and its provider says nothing.
        case 404 where document?.isError == true: return
        default: throw serviceError(answer)
        }
    }

    private func signIn(_ name: String, _ form: [(String, String)]) async throws(EntitlementError) -> NativeSession {
        let answer = try await self.service(name, form, creates: true)
        guard answer.status == 200 else { throw serviceError(answer) }
        return try nativeSession(in: answer)
    }
}
