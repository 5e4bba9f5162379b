package import Clientless
package import Entitlement
package import HTTPServer
package import Observability
import WebPages

/// The pages a person walks through on the phone: code, provider, sign-in, confirmation.
///
/// They are plain forms. A form's answer is a redirect to the next page, and each page looks up how far the login is,
/// so that reloading, going back and sending twice do no harm. Nothing is kept here: the code is in the address, the
/// login in the store, and the browser is known by its cookie.
package struct SecondScreen: Sendable {
    let domain: Entitlements
    let logger: Logger
    private let library: PageLibrary
    private let assets: AssetCatalogue
    private let clock: @Sendable () -> Timestamp
    private let address: @Sendable (HTTPRequest) -> IPAddress
    private let isSecure: @Sendable (HTTPRequest) -> Bool

    /// - Parameters:
    ///   - address: the browser's own address; behind a proxy, what the proxy says.
    ///   - isSecure: whether the browser's own connection is encrypted.
    /// - Throws: the fault of a template or a sentence, so that the server does not start with it.
    package init(
        domain: Entitlements, logger: Logger, clock: @escaping @Sendable () -> Timestamp,
        address: @escaping @Sendable (HTTPRequest) -> IPAddress = { $0.remoteAddress },
        isSecure: @escaping @Sendable (HTTPRequest) -> Bool = { $0.isSecure }
    ) throws(TemplateFault) {
        self.domain = domain
        self.logger = logger
        self.assets = try AssetCatalogue(WebFiles.assets)
        self.library = try PageLibrary(assets: self.assets)
        self.clock = clock
        self.address = address
        self.isSecure = isSecure
    }

    /// Adds every page and asset.
    package func addRoutes(to router: inout Router) {
        self.page(ScreenPath.landing, "landing", to: &router) { _, _ in .page(LandingPage()) }
        self.page(ScreenPath.activate, "activate", to: &router) { $0.showCode($1) }
        self.form(ScreenPath.activate, "activate", .code, to: &router) { screen, visit throws(Problem) in
            try await screen.takeCode(visit)
        }
        self.page(ScreenPath.provider, "activate-provider", to: &router) { screen, visit throws(Problem) in
            try await screen.showProviders(visit)
        }
        self.form(ScreenPath.provider, "activate-provider", .provider, to: &router) { screen, visit throws(Problem) in
            try await screen.takeProvider(visit)
        }
        self.page(ScreenPath.signIn, "activate-sign-in", to: &router) { screen, visit throws(Problem) in
            try await screen.showLogin(visit, at: .signIn)
        }
        self.form(ScreenPath.signIn, "activate-sign-in", .signIn, to: &router) { screen, visit throws(Problem) in
            try await screen.takeCredentials(visit)
        }
        self.page(ScreenPath.confirm, "activate-confirm", to: &router) { screen, visit throws(Problem) in
            try await screen.showLogin(visit, at: .confirm)
        }
        self.form(ScreenPath.confirm, "activate-confirm", .confirm, to: &router) { screen, visit throws(Problem) in
            try await screen.takeDecision(visit)
        }
        self.form(ScreenPath.decline, "activate-decline", .decline, to: &router) { screen, visit throws(Problem) in
            try await screen.takeDecline(visit)
        }
        self.page(ScreenPath.done, "activate-done", to: &router) { screen, visit throws(Problem) in
            try await screen.showLogin(visit, at: .done)
        }
        self.page(ScreenPath.declined, "activate-declined", to: &router) { _, _ in .page(DeclinedPage()) }
        for asset in self.assets.assets {
            let response = HTTPResponse(headers: PageHeaders.fields(of: asset), body: .bytes(asset.bytes))
            router.on(.get, path: asset.path, name: "asset") { _ in .now(response) }
        }
    }

    /// The answer to a person whose request no page takes: 404, 405, 503 and others.
    package func problemPage(_ status: HTTPStatus, for request: HTTPRequest) -> HTTPResponse {
        let kind: Problem.Kind =
            switch status {
            case .notFound: .missingPage
            case .methodNotAllowed: .method
            case .tooManyRequests: .tooManyAttempts
            case .serviceUnavailable: .busy
            case .badGateway, .gatewayTimeout: .provider
            case .forbidden: .session
            default: status.code < 500 ? .malformed : .trouble
            }
        let visit = self.visit(request)
        var response = self.response(to: visit, self.answer(Problem(kind), visit))
        response.status = status
        // Whoever asks for what is not there may be a program; the next page gives a browser its cookie.
        response.headers.remove("Set-Cookie")
        return response
    }
}

extension SecondScreen {
    typealias Handler = @Sendable (SecondScreen, Visit) async throws(Problem) -> ScreenAnswer

    private func page(_ path: String, _ name: String, to router: inout Router, handler: @escaping Handler) {
        router.on(.get, path: path, name: name) { request in
            .later { await self.run(request, handler) }
        }
    }

    private func form(
        _ path: String, _ name: String, _ purpose: FormToken.Purpose, to router: inout Router,
        handler: @escaping Handler
    ) {
        router.on(.post, path: path, name: name) { request in
            .later {
                await self.run(request) { screen, visit throws(Problem) in
                    try screen.checkForm(visit, purpose)
                    return try await handler(screen, visit)
                }
            }
        }
    }

    private func run(_ request: HTTPRequest, _ handler: Handler) async -> HTTPResponse {
        let visit = self.visit(request)
        guard !request.query.hasRepeatedName, !request.form.hasRepeatedName
        else { return self.response(to: visit, self.answer(Problem(.malformed), visit)) }
        do throws(Problem) {
            return self.response(to: visit, try await handler(self, visit))
        } catch {
            return self.response(to: visit, self.answer(error, visit))
        }
    }

    private func visit(_ request: HTTPRequest) -> Visit {
        let isSecure = self.isSecure(request)
        return Visit(
            request: request, now: self.clock(), address: self.address(request), isSecure: isSecure,
            browser: BrowserSession.of(request, isSecure: isSecure),
            language: self.library.language(for: request.headers["Accept-Language"]))
    }

    /// - Throws: `session` when the form was not sent from a page that this browser was shown.
    private func checkForm(_ visit: Visit, _ purpose: FormToken.Purpose) throws(Problem) {
        guard !visit.browser.isNew, FormOrigin.isOurs(visit.request),
            self.token(purpose, visit).matches(visit.request.form[FormToken.field])
        else { throw Problem(.session) }
    }

    func token(_ purpose: FormToken.Purpose, _ visit: Visit) -> FormToken {
        FormToken(purpose, browser: visit.browser, key: self.domain.keys.forms)
    }

    /// Calls the domain, whose errors become problems of a page.
    func asking<Result>(
        _ work: () async throws(EntitlementError) -> Result
    ) async throws(Problem) -> Result {
        do {
            return try await work()
        } catch {
            throw Problem(error)
        }
    }
}

extension SecondScreen {
    private func answer(_ problem: Problem, _ visit: Visit) -> ScreenAnswer {
        if let detail = problem.detail {
            self.logger.error(
                "a page could not be shown",
                [.requestID: .text(visit.request.id.description), .detail: .text(detail)])
        }
        return .page(
            ProblemPage(problem: problem, reference: visit.request.id), status: problem.status,
            retryAfter: problem.retryAfter)
    }

    private func response(to visit: Visit, _ answer: ScreenAnswer) -> HTTPResponse {
        var response: HTTPResponse
        switch answer {
        case .page(let page, let status, let retryAfter, let formTarget):
            response = self.rendered(page, visit, status: status, formTarget: formTarget)
            if let retryAfter { response.headers.set("Retry-After", String(WaitingTime.wholeSeconds(retryAfter))) }
        case .go(let path):
            response = .redirect(to: path, status: .seeOther)
        case .leave(let address):
            response = .redirect(to: address, status: .found)
        }
        response.headers.set("Cache-Control", "no-store")
        response.headers.set("Referrer-Policy", "no-referrer")
        if visit.browser.isNew { response.headers.add("Set-Cookie", visit.browser.cookie(isSecure: visit.isSecure)) }
        return response
    }

    private func rendered(_ page: any Page, _ visit: Visit, status: HTTPStatus, formTarget: String?) -> HTTPResponse {
        do throws(TemplateFault) {
            return HTTPResponse(
                status: status, headers: PageHeaders.fields(language: visit.language, formTarget: formTarget),
                body: .text(try self.library.render(page, in: visit.language)))
        } catch {
            self.logger.error(
                "a template could not be rendered",
                [.requestID: .text(visit.request.id.description), .detail: .text(error.description)])
            return .text("Internal Server Error\n", status: .internalServerError)
        }
    }
}
