import Clientless

// Answers of the SDK services, in XML whatever was asked for (sdk-services 1).
extension APIAnswer {
    private static let refusal = [Content.xml(.named("Refusal"))]

    /// Success, or that the presented token is no more.
    static func sdk(_ text: String, _ schemas: String..., headers: [Header] = []) -> APIAnswer {
        APIAnswer(
            200, text, [.xml(.any(of: (schemas + ["PendingLogout"]).map { .named($0) }))],
            headers: headers + [.signInEnding])
    }

    /// The same in JSON; that the token is no more is XML all the same.
    static func sdkInJSON(_ text: String, _ schema: JSONSchema, headers: [Header] = []) -> APIAnswer {
        APIAnswer(
            200, text, [.json(schema), .xml(.named("PendingLogout"))], headers: headers + [.signInEnding])
    }

    /// A refusal, beside those any call may get.
    static func sdkRefusal(_ status: Int, _ text: String) -> APIAnswer { APIAnswer(status, text, refusal) }

    static let sdkExpired = sdkRefusal(410, "`N130`, or the decision: what was presented is over.")

    /// The answers that any call about a device may give.
    /// - Parameter forbidden: what makes it 403 beside the credential.
    static func sdkFailures(forbidden: String? = nil) -> [APIAnswer] {
        let credential = "`SEC403`: the credential may not speak for this requestor."
        return [
            sdkRefusal(400, "A parameter is missing or of no use; the message names it."), sdkUnauthorized,
            sdkRefusal(403, forbidden.map { "\($0) Or \(credential)" } ?? credential), sdkTooManyRequests,
            sdkServerError, sdkUnavailable,
        ]
    }

    private static let sdkUnauthorized = APIAnswer(
        401,
        "The credential is missing or no good; `N000`: not signed in; `N130`: not a token of this service; "
            + "`SEC412`: of another device.", refusal, headers: [.challenge], component: "RefusedCaller")
    private static let sdkTooManyRequests = APIAnswer(
        429, "Too many calls.", refusal, headers: [.retryAfter], component: "RefusedForNow")
    private static let sdkServerError = APIAnswer(
        500, "The server's own fault; its log names the request.", refusal, component: "RefusedByFault")
    private static let sdkUnavailable = APIAnswer(
        503, "The store does not answer.", refusal, headers: [.retryAfter], component: "RefusedWithoutStore")

    static let sdkComponents = [sdkUnauthorized, sdkTooManyRequests, sdkServerError, sdkUnavailable]
}
