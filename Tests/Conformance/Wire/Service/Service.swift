import Cryptography
import FoundationEssentials
import HTTPClient
import Lending
import RealPrograms

var service: Service { Service.$current.lent() }

/// The service under test, and how a client of it speaks.
struct Service: Sendable {
    @TaskLocal static var current: Service?

    /// Scheme, host and port.
    let url: String
    let profile: Profile
    let client: HTTPClient
    /// What the clocks of boxes show, in milliseconds since 1970; `nil` where they go with this machine's.
    var moment: Int64?

    /// Milliseconds since 1970 on a box's clock.
    var now: Int64 { self.moment ?? Int64(Date().timeIntervalSince1970 * 1000) }

    /// Sends a request as it is.
    /// - Parameter form: the body, with the content type of a form.
    func send(
        _ method: HTTPClient.Method, _ target: String, headers: HTTPClient.Headers = [:], form: String? = nil
    ) async throws -> HTTPClient.Response {
        var request = HTTPClient.Request(method, self.url + target, headers: headers)
        request.timeout = .seconds(120)
        if let form {
            request.body = Array(form.utf8)
            if request.headers["Content-Type"] == nil {
                request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            }
        }
        return try await self.client.send(request)
    }

    /// A header that signs a call (rest-v1 7.2), written here once more so that the suite does not believe the library.
    func signature(
        _ verb: String, _ uri: String, requestor: String? = nil, time: String? = nil, nonce: String = "\(UUID())"
    ) -> String {
        let text =
            "\(verb) requestor_id=\(requestor ?? self.profile.requestor), nonce=\(nonce), "
            + "signature_method=HMAC-SHA1, request_time=\(time ?? String(self.now)), request_uri=\(uri)"
        let code = HMACKey(Secret(self.profile.keyPair.privateKey), hash: .sha1).authenticationCode(for: text.utf8)
        return "\(text), public_key=\(self.profile.keyPair.publicKey), signature=\(Base64.encode(code))"
    }
}

/// A query of these pairs, each percent-encoded.
func query(_ pairs: KeyValuePairs<String, String>) -> String {
    HTMLForm.urlEncoded(pairs.map { (name: $0.key, value: $0.value) })
}
