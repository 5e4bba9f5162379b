import Clientless
import Entitlement
import HTTPServer

/// The addresses that providers send browsers back to (rest-v1 13.4).
///
/// Each provider has an address of its own. An answer in the address is taken at once: the browser followed a link, and
/// its cookie comes with it. One that comes as a form of the provider's site has no cookie (`SameSite=Lax`): it is answered
/// with a page of ours whose form sends the same once more, with the cookie. The login decides the domain.
struct Callbacks: Face {
    static let name: StaticString = "callbacks"

    let context: FaceContext
    let screen: SecondScreen

    static let all: [Endpoint<Callbacks>] = answerEndpoints + classicEndpoints + logoutEndpoints

    func response(to error: WireError, in place: ErrorPlace) -> HTTPResponse {
        if place.preference.isForPeople { return Answer.page(error) }
        return Answer.error(error, place.format)
    }

    private static let fields: [APIField] = [
        .optional("state", .text(1...80), "The login, as the provider was told it; or `RelayState`."),
        .optional("RelayState", .text(1...80), "The login, as the provider was told it; or `state`."),
        .optional(
            "code", .text(0...8192), "A grant. Like every further parameter, it is for the provider's kind to read."),
        .optional("error", .text(0...256), "Why there is no grant."),
        .optional("SAMLResponse", .text(0...ProviderCallback.maximumSize), "Base64 of a response."),
    ]

    private static let answerEndpoints: [Endpoint<Callbacks>] = [
        Endpoint(
            [(.get, "/sp/login/{mvpd}", "takeAnswer")], name: "provider-answer", .signIn,
            "Take a provider's answer to a login", section: "rest-v1 13.4", requestor: .nowhere, limits: .browsers,
            bodyLimit: .page, fields: fields,
            answers: [
                APIAnswer(
                    302, "Back to the page where the login began, unchanged, after success and failure.",
                    headers: [.location, .cookie]),
                APIAnswer(303, "To the page of the login's next step.", headers: [.location, .cookie]),
            ] + problems, errors: .people,
            handler: .visit { face, request, facts in
                await face.screen.run(request, facts) { screen, visit in
                    let (callback, reference) = try Self.answer(.get, request.query, visit)
                    return try await screen.goOn(reference, with: callback, from: try Self.mvpd(visit), visit)
                }
            }),
        Endpoint(
            [(.post, "/sp/login/{mvpd}", "takeAnswerByForm")], name: "provider-answer", .signIn,
            "Take a provider's answer to a login, as a form of its site",
            "The server decides only after the browser has shown that the login is its own. A form of another site is answered with a "
                + "page whose form sends the same once more.",
            section: "rest-v1 13.4", requestor: .nowhere, limits: .browsers, bodyLimit: .assertion, fields: fields,
            answers: [
                APIAnswer(200, "A page whose form brings the answer once more.", [.html]),
                APIAnswer(
                    302, "Back to the page where the login began, unchanged, after success and failure.",
                    headers: [.location]),
                APIAnswer(303, "To the page of the login's next step.", headers: [.location]),
            ] + problems, errors: .people,
            handler: .visit { face, request, facts in
                await face.screen.run(request, facts, givingCookie: false) { screen, visit in
                    let (callback, reference) = try Self.answer(.post, request.form, visit)
                    return try await screen.take(callback, reference, from: try Self.mvpd(visit), visit)
                }
            }),
    ]

    private static let problems: [APIAnswer] = [
        .pageOrError(400, "The answer makes no sense, is of no known login, or was taken before."),
        .pageOrError(403, "The login is another browser's, or the provider refused."),
        .pageOrError(429, "Too many calls from this address, or answers to one login.", headers: [.retryAfter]),
        .pageOrError(500, "The server's own fault, or that of its settings; its log names the request."),
        .pageOrError(502, "The provider could not be asked about its answer."), storeless,
    ]

    static let tooMany = APIAnswer.pageOrError(429, "Too many calls from this address.", headers: [.retryAfter])
    static let fault = APIAnswer.pageOrError(500, "The server's own fault; its log names the request.")
    static let storeless = APIAnswer.pageOrError(503, "The store does not answer.", headers: [.retryAfter])

    private static func mvpd(_ visit: Visit) throws(Problem) -> MVPDID {
        guard let mvpd = MVPDID(visit.request.segment("mvpd")) else { throw Problem(.malformed) }
        return mvpd
    }

    /// The answer, and the login it names: by one name, once.
    private static func answer(
        _ method: ProviderCallback.Method, _ parameters: HTTPParameters, _ visit: Visit
    ) throws(Problem) -> (ProviderCallback, reference: String) {
        let pairs = parameters.pairs.map { NamedText($0.name, $0.value) }
        guard let callback = ProviderCallback(method, pairs, query: method == .get ? visit.request.rawQuery : "")
        else { throw Problem(.malformed) }
        switch (callback["state"], callback["RelayState"]) {
        case (let reference?, nil), (nil, let reference?): return (callback, reference)
        case (nil, nil):
            guard let error = callback["error"] else { throw Problem(.malformed) }
            throw Problem(.refused, detail: "the provider refuses and names no login: \(error)")
        case (_?, _?): throw Problem(.malformed)
        }
    }
}
