package import HTTPServer

/// The fields every answer of the API carries (rest-v1 3.6, 3.7). `Date` is the server's.
package enum CommonHeaders {
    /// Sent to a caller that names an `Origin`. Only browsers read these fields, and a browser that obeys them names its
    /// origin; a box saves the bytes.
    private static let crossOrigin: [(name: String, value: String)] = [
        ("Access-Control-Allow-Credentials", "true"),
        ("Access-Control-Allow-Methods", "POST,GET,OPTIONS,DELETE"),
        (
            "Access-Control-Allow-Headers",
            "ap_11,ap_42,ap_z,ap_19,ap_21,ap_23,authorization,content-type,pass_sfp,AP-Session-Identifier,"
                + "AP-Device-Identifier,AP-SDK-Identifier,X-Device-Info"
        ),
        ("Access-Control-Expose-Headers", "pass_sfp,Authzf-Error-Code,Authzf-Sub-Error-Code,Authzf-Error-Details"),
    ]

    /// Adds the request's id and, for browsers, the field of secure transport and, on pages of the origins of `policy`,
    /// the cross-origin fields.
    static func decorate(
        _ context: ResponseContext, _ response: inout HTTPResponse, _ policy: OriginPolicy,
        _ transport: TransportSecurity
    ) {
        transport.add(to: &response)
        response.addID(context.id, as: "Adobe-Request-Id")
        if let origin = context.origin, policy.admits(origin) {
            self.addCrossOrigin(origin, to: &response)
        } else if !response.isPrepared, !response.headers.has("Cache-Control", Answer.uncached) {
            // A shared cache must not hand this answer to a browser that names an origin. A prepared one has it already.
            self.addVary(to: &response)
        }
    }

    /// Names the fields that an answer a cache may keep depends on besides the address, once. If neither suffix nor
    /// `format` is given, `Accept` chooses JSON or XML, and a browser's cache would hand out one for the other (RFC 9110
    /// 12.5.5).
    static func addVary(to response: inout HTTPResponse) {
        let caching = response.headers["Cache-Control"]
        let vary = caching == nil || caching == Answer.uncached ? "Origin" : "Accept, Origin"
        if !response.headers.has("Vary", vary) { response.headers.add("Vary", vary) }
    }

    /// `OPTIONS` on any path: no authentication, no throttle.
    package static func preflight(_ request: HTTPRequest) -> HTTPResponse {
        var response = HTTPResponse(status: .noContent)
        for field in self.crossOrigin { response.headers.add(field.name, field.value) }
        // Without it every call of a television's web page costs two.
        response.headers.add("Access-Control-Max-Age", "600")
        return response
    }

    private static func addCrossOrigin(_ origin: String, to response: inout HTTPResponse) {
        response.headers.add("Access-Control-Allow-Origin", origin)
        self.addVary(to: &response)
        guard !response.headers.contains("Access-Control-Allow-Methods") else { return }
        for field in self.crossOrigin { response.headers.add(field.name, field.value) }
    }
}
