import Clientless
import Entitlement
import HTTPServer
import Observability

/// The pages a person walks through on the phone: code, provider, sign-in, confirmation.
///
/// They are plain forms. A form's answer is a redirect to the next page, and each page looks up how far the login is,
/// so that reloading, going back and sending twice do no harm. This face keeps no state: the code is in the address,
/// the login in the store, and the browser is known by its cookie.
struct SecondScreen: Face {
    static let name: StaticString = "second-screen"

    let context: FaceContext
    let library: PageLibrary
    private let assets: AssetCatalogue
    private let brands: BrandedPages
    /// The relying party of passkeys; `nil` if browsers have none to offer.
    let party: RelyingParty?

    /// - Throws: the fault of a template or a sentence, so that the server does not start with it.
    init(_ context: FaceContext) throws(TemplateFault) {
        self.context = context
        let shipped = try ShippedPages.read.get()
        self.assets = shipped.assets
        self.library = shipped.library
        self.brands = try BrandedPages(
            self.library, assets: self.assets, context.settings.branding, context.settings.requestorBranding)
        self.party = RelyingParty(publicURL: context.settings.publicURL)
    }

    private static let code = APIField.optional("code", .text(0...64), "The code, as the person types it.")
    static let attempt = APIField.optional("attempt", .text(0...128), "The login.")
    private static let notice = APIField.optional("notice", .text(0...128), "The token of a message about a new box.")
    private static let other = APIField.optional("other", .choice("yes"), "Whether the person wants another account.")
    private static let way = APIField.optional("way", .choice("readOut"), "How the person knows the box.")
    private static let problems: [APIAnswer] = [400, 403, 429, 500, 502, 503].map { .page($0) }
    static let goesOn: [APIAnswer] = [.page(303), .page(302)]

    static let pages: [Endpoint<SecondScreen>] = [
        page(ScreenPath.landing, "landing", [], answers: [.page(200)]) { _, _ in .page(.landing) },
        page(ScreenPath.activate, "activate", [code], answers: [.page(200), .page(303)]) { try await $0.showCode($1) },
        form(ScreenPath.check, "activate-check", .code, [code], answers: [.page(200)]) { try await $0.checkCode($1) },
        page(ScreenPath.go, "go", [], answers: [.page(303)]) { _, _ in .go(ScreenPath.activate) },
        form(ScreenPath.activate, "activate", .code, [code], answers: goesOn) { try await $0.takeCode($1) },
        page(ScreenPath.provider, "activate-provider", [code, other], answers: [.page(200), .page(303)]) {
            try await $0.showProviders($1)
        },
        form(
            ScreenPath.provider, "activate-provider", .provider,
            [code, .required("mvpd", .text(0...64), "The provider.")], answers: goesOn
        ) { try await $0.takeProvider($1) },
        page(ScreenPath.signIn, "activate-sign-in", [attempt], answers: [.page(200)] + goesOn) {
            try await $0.showLogin($1, at: .signIn)
        },
        form(
            ScreenPath.signIn, "activate-sign-in", .signIn,
            [
                attempt, .required("account", .text(0...256), "The account."),
                .required("password", .text(0...1024), "The password."),
                .optional("remember", .choice("yes"), "Whether this browser keeps the account's name."),
            ], answers: goesOn
        ) { try await $0.takeCredentials($1) },
        page(ScreenPath.handOver, "activate-go", [attempt], answers: [.page(200)] + goesOn) {
            try await $0.showHandOver($1)
        },
        page(ScreenPath.confirm, "activate-confirm", [attempt, way], answers: [.page(200)] + goesOn) {
            try await $0.showLogin($1, at: .confirm)
        },
        form(
            ScreenPath.confirm, "activate-confirm", .confirm,
            [
                attempt, way, .required("decision", .choice("confirm", "decline"), "The person's decision."),
                .optional("known", .choice("yes"), "Whether the person knows who read the code out."),
            ], answers: goesOn
        ) { try await $0.takeDecision($1) },
        form(ScreenPath.decline, "activate-decline", .decline, [attempt, code], answers: goesOn) {
            try await $0.takeDecline($1)
        },
        page(ScreenPath.done, "activate-done", [attempt], answers: [.page(200)] + goesOn) {
            try await $0.showLogin($1, at: .done)
        },
        page(ScreenPath.declined, "activate-declined", [], answers: [.page(200)]) { _, _ in .page(.declined) },
        page(ScreenPath.errorCodes, "help-errors", [], answers: [.page(200)]) { _, _ in .page(.errorCodes) },
        page(
            ScreenPath.boxes, "boxes",
            [
                attempt, .optional("did", .choice("named", "ended", "ended-all"), "The person's last action."),
                .optional("name", .text(0...256), "The name of the box that ended."),
            ],
            answers: [.page(200)] + goesOn
        ) { try await $0.showBoxes($1) },
        form(
            ScreenPath.boxes, "boxes", .boxes, [.required("mvpd", .text(0...64), "The provider.")], answers: goesOn
        ) { try await $0.beginBoxes($1) },
        page(ScreenPath.allBoxes, "boxes-all", [attempt], answers: [.page(200)] + goesOn) {
            try await $0.askAboutAll($1)
        },
        form(
            ScreenPath.boxChange, "boxes-change", .boxes,
            [
                attempt,
                .optional("box", .text(pattern: "^[0-9a-f]{8}-[0-9a-f]{8}$"), "The box; none where all are meant."),
                .required("change", .choice("name", "end", "end-all"), "The change."),
                .optional("name", .text(0...256), "The person's name for it."),
            ], answers: goesOn
        ) { try await $0.changeBox($1) },
        form(ScreenPath.boxesOver, "boxes-over", .boxes, [attempt], answers: goesOn) { try await $0.endBoxes($1) },
        page(ScreenPath.newBox, "boxes-new", [notice], answers: [.page(200)]) { try await $0.showNotice($1) },
        form(ScreenPath.newBox, "boxes-new", .boxNotice, [notice], answers: [.page(200)]) {
            try await $0.takeNotice($1)
        },
        endpoint(
            .post, ScreenPath.language, "activate-language",
            [
                .required("language", .text(0...35), "The language, by its tag."),
                .optional("page", .text(0...64), "The path of the page to come back to."), code, attempt, way,
            ], [.page(303)]
        ) { try $0.takeLanguage($1) },
    ]

    /// The question of a finished login's page until the box has answered.
    static let answer = Endpoint<SecondScreen>(
        [(.get, ScreenPath.answer, "activate-answer")], name: "activate-answer", nil,
        "Whether the box of a login was told that it is signed in", section: "design 6", requestor: .nowhere,
        limits: .pages, bodyLimit: .page, fields: [attempt], answers: [.page(200)] + problems, errors: .people,
        handler: .openPoll(Poller { HandoverPoll($0, $1) }))

    static let shortAddress = Endpoint<SecondScreen>(
        zip(ScreenPath.short, ["openCode", "openTypedCode"]).map { (.get, "\($0)/{code}", $1) },
        name: "short-address", .codes, "Go to the page of a code",
        "The address in the QR code of a box. Every code is answered alike, whether there is such a code or not.",
        section: "own", requestor: .nowhere, limits: .publicData, bodyLimit: .page, fields: [],
        answers: [
            APIAnswer(
                303, "To the page that asks for the code, with the code filled in if it could be one.",
                headers: [.location])
        ], errors: .people, handler: .immediate { $0.followShortAddress($1) })

    /// The logo of a provider. It comes while the server runs, so it has no route of its own.
    static let logo = Endpoint<SecondScreen>(
        [(.get, "\(Picture.folder)/{file}", "logo")], name: "logo", nil, "The logo of a provider",
        section: "design 6", requestor: .nowhere, limits: .unlimited, bodyLimit: .page, fields: [],
        answers: [.page(200), .page(404)], errors: .people, handler: .immediate { $0.logo($1) })

    private func logo(_ request: HTTPRequest) -> HTTPResponse {
        self.settings.logos.file(at: "\(Picture.folder)/\(request.segment("file"))")?.answer(to: request)
            ?? self.problemPage(.notFound, for: request)
    }

    static let all = pages + passkeyEndpoints + [shortAddress, answer, logo]

    var endpoints: [Endpoint<SecondScreen>] {
        Self.all + (self.assets.assets + self.brands.assets).map { Self.file($0) } + self.placeholder
    }

    /// The logo that lists of providers name in place of a logo (rest-v1 12), under an address without a hash: clients
    /// know it.
    private var placeholder: [Endpoint<SecondScreen>] {
        let (path, name) = (self.settings.placeholderLogo, self.assets.paths["logo.svg"])
        guard path.hasPrefix("/"), let asset = self.assets.assets.first(where: { $0.path == name }) else { return [] }
        var headers = PageHeaders.fields(of: asset)
        headers.set("Cross-Origin-Resource-Policy", "cross-origin")
        headers.set("Cache-Control", "public, max-age=86400")
        return [Self.file(at: path, FileAnswer(asset.bytes, headers: headers))]
    }

    func refusal(_ error: WireError) -> Problem { Problem(error.status.code < 500 ? .malformed : .trouble) }
    func refusal(_ error: EntitlementError, at family: EndpointFamily) -> Problem { Problem(error) }

    func response(to problem: Problem, in place: ErrorPlace) -> HTTPResponse {
        Answer.page(WireError(problem.status, problem.status.reason))
    }

    func turnedAway(_ error: WireError, _ request: HTTPRequest, _ place: ErrorPlace) -> HTTPResponse {
        let page = self.problemPage(error.status, for: request)
        return error.retryAfter.map { page.setting("Retry-After", String($0)) } ?? page
    }

    /// The answer to a person whose request no page takes: 404, 405, 503 and others.
    func problemPage(_ status: HTTPStatus, for request: HTTPRequest) -> HTTPResponse {
        let kind: Problem.Kind =
            switch status {
            case .notFound: .missingPage
            case .methodNotAllowed: .method
            case .tooManyRequests: .crowded
            case .serviceUnavailable: .busy
            case .badGateway, .gatewayTimeout: .provider
            case .forbidden: .session
            default: status.code < 500 ? .malformed : .trouble
            }
        let visit = self.visit(request, Self.pages[0].facts)
        var response = self.response(to: visit, self.answer(Problem(kind), visit))
        response.status = status
        // A program may ask for what is not there; the next page gives a browser its cookie.
        response.headers.remove("Set-Cookie")
        return response
    }
}

// How pages are put together.
extension SecondScreen {
    /// The page whose form brings a provider the answer to its logout. The browser gets no cookie: it has no login here.
    func handOver(_ form: ProviderForm, to mvpd: MVPDID, _ request: HTTPRequest) -> HTTPResponse {
        var visit = self.visit(request, Self.pages[0].facts)
        visit.mayGiveCookie = false
        let page = Page.handOver(answering: self.domain.catalogue.mvpd(mvpd)?.displayName ?? mvpd.text, form)
        return self.response(to: visit, .page(page, formTargets: .onward(from: form.address)))
    }

    typealias Handler = @Sendable (SecondScreen, Visit) async throws -> ScreenAnswer

    private static func page(
        _ path: String, _ name: String, _ fields: [APIField], answers: [APIAnswer], handler: @escaping Handler
    ) -> Endpoint<SecondScreen> {
        self.endpoint(.get, path, name, fields, answers, handler: handler)
    }

    static func form(
        _ path: String, _ name: String, _ purpose: FormToken.Purpose, _ fields: [APIField], answers: [APIAnswer],
        handler: @escaping Handler
    ) -> Endpoint<SecondScreen> {
        let token = APIField.required(
            FormToken.field, .text(0...FormToken.maximumSize), "Proves that a page of ours sent the form.")
        return self.endpoint(.post, path, name, fields + [token], answers, of: purpose, handler: handler)
    }

    /// - Parameter purpose: of a form that has a token.
    private static func endpoint(
        _ method: HTTPMethod, _ path: String, _ name: String, _ fields: [APIField], _ answers: [APIAnswer],
        of purpose: FormToken.Purpose? = nil, handler: @escaping Handler
    ) -> Endpoint<SecondScreen> {
        Endpoint(
            [(method, path, name)], name: name, nil, "A page of the second screen", section: "design 6",
            requestor: .nowhere, limits: .pages, bodyLimit: .page, fields: fields, answers: answers + self.problems,
            errors: .people,
            handler: .visit { screen, request, facts in
                await screen.run(request, facts) { screen, visit in
                    // First of all: what a stranger sends is not worth decoding.
                    if let purpose, !screen.isOurs(visit, purpose) { throw Problem(.session) }
                    guard !request.query.hasRepeatedName, !request.form.hasRepeatedName
                    else { throw Problem(.malformed) }
                    return try await handler(screen, visit)
                }
            })
    }

    private static func file(_ asset: AssetCatalogue.Asset) -> Endpoint<SecondScreen> {
        self.file(at: asset.path, FileAnswer(asset.bytes, headers: PageHeaders.fields(of: asset)))
    }

    private static func file(at path: String, _ file: FileAnswer) -> Endpoint<SecondScreen> {
        Endpoint(
            [(.get, path, "asset")], name: "asset", nil, "A file of a page", section: "design 6",
            requestor: .nowhere, limits: .unlimited, bodyLimit: .page, fields: [], answers: [.page(200)],
            errors: .people, handler: .immediate { file.answer(to: $1) })
    }

    /// Answers a browser with the page that `handler` chooses, or with one that says what is wrong.
    /// - Parameter givingCookie: whether a browser without a session is given one.
    func run(
        _ request: HTTPRequest, _ facts: EndpointFacts, givingCookie: Bool = true, _ handler: Handler
    ) async -> HTTPResponse {
        var visit = self.visit(request, facts)
        visit.mayGiveCookie = givingCookie
        do {
            guard !request.parameters.exceed(pairs: Call.maximumPairs) else { throw Problem(.malformed) }
            return self.response(to: visit, try await handler(self, visit))
        } catch {
            return self.response(to: visit, self.answer(Problem(of: error), visit))
        }
    }

    private func visit(_ request: HTTPRequest, _ facts: EndpointFacts) -> Visit {
        let isSecure = self.context.settings.isSecure(request)
        return Visit(
            request: request, query: CallParameters(undeclared: request.query, endpoint: facts),
            form: CallParameters(undeclared: request.form, endpoint: facts), now: self.context.now(),
            address: self.addresses.address(of: request), isSecure: isSecure,
            browser: BrowserSession.of(request, isSecure: isSecure),
            language: self.language(of: request, isSecure: isSecure))
    }

    /// Whether a form was sent from a page that this browser was shown.
    private func isOurs(_ visit: Visit, _ purpose: FormToken.Purpose) -> Bool {
        !visit.browser.isNew && FormOrigin.isOurs(visit.request)
            && self.token(purpose, visit).matches(visit.form[FormToken.field])
    }

    func token(_ purpose: FormToken.Purpose, _ visit: Visit) -> FormToken {
        FormToken(purpose, browser: visit.browser, key: self.domain.keys.forms)
    }

    func formToken(_ purpose: FormToken.Purpose, _ visit: Visit) -> TemplateValue {
        .text(self.token(purpose, visit).text)
    }
}

extension SecondScreen {
    private func answer(_ problem: Problem, _ visit: Visit) -> ScreenAnswer {
        self.log(problem, visit.request.id)
        return .page(
            .problem(problem, reference: visit.request.id, PagePlace(visit)), status: problem.status,
            retryAfter: problem.retryAfter)
    }

    /// Says in the log what an operator should know of a problem: the server's own, as what providers and browsers cause
    /// has a line for each provider elsewhere, so many a minute.
    func log(_ problem: Problem, _ request: RequestID) {
        guard let detail = problem.detail else { return }
        let facts: LogFacts = [.requestID: .text(request.description), .detail: .text(detail)]
        let logger = self.context.logger.named(Self.name)
        switch problem.status {
        case .internalServerError, .serviceUnavailable: logger.error("a page could not be shown", facts)
        default: logger.debug("a page could not be shown", facts)
        }
    }

    private func response(to visit: Visit, _ answer: ScreenAnswer) -> HTTPResponse {
        var response: HTTPResponse
        var isBegun = false
        switch answer {
        case .page(let page, let status, let retryAfter, let formTargets, let next, let login):
            response = self.rendered(page, visit, status: status, formTargets: formTargets)
            if let next { response.headers.set("Refresh", "0; url=\(next)") }
            if let retryAfter { response.headers.set("Retry-After", String(WaitingTime.wholeSeconds(retryAfter))) }
            if let cookie = login.flatMap({ LastLogin.cookie($0, isSecure: visit.isSecure) }) {
                response.headers.add("Set-Cookie", cookie)
            }
            isBegun = login != nil || next != nil || formTargets != .ours
        case .go(let path):
            response = .redirect(to: path, status: .seeOther)
        case .keep(let cookies, let path):
            response = .redirect(to: path, status: .seeOther)
            for cookie in cookies { response.headers.add("Set-Cookie", cookie) }
        case .leave(let address):
            response = .redirect(to: address, status: .found)
        case .lines(let lines):
            response = .text(lines.joined(separator: "\n"))
            response.headers.set("X-Content-Type-Options", "nosniff")
        }
        // Pages have them.
        let fields: [(StaticString, String)] = [("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")]
        for (name, value) in fields where !response.headers.has(name, value) {
            response.headers.set(name, value)
        }
        // The session lasts a day from each login, so that it does not end in the middle of one, or at the provider.
        if visit.browser.isNew || isBegun, visit.mayGiveCookie {
            response.headers.add("Set-Cookie", visit.browser.cookie(isSecure: visit.isSecure))
        }
        return response
    }

    private func rendered(_ page: Page, _ visit: Visit, status: HTTPStatus, formTargets: FormTargets) -> HTTPResponse {
        do throws(TemplateFault) {
            let response = HTTPResponse(
                status: status,
                headers: PageHeaders.fields(language: visit.language, formTargets: formTargets),
                body: try self.brands.look(of: page).render(
                    page, in: visit.language, frame: PagePlace(visit).values))
            return page.mayBeCompressed ? AnswerCoding.coded(response, for: visit.request) : response
        } catch {
            self.context.logger.named(Self.name).error(
                "a template could not be rendered",
                [.requestID: .text(visit.request.id.description), .detail: .text(error.description)])
            return .text("Internal Server Error\n", status: .internalServerError)
        }
    }
}
