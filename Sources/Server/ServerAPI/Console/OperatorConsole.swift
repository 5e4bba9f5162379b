package import Clientless
package import Entitlement
package import HTTPServer
package import Observability
import Synchronization
import WebPages

/// The operator's pages, on a listener of their own: how pairing goes, open codes, providers, boxes, the audit log, what
/// the configuration should not have.
///
/// They are templates of `web/console` in the style of the viewers' pages, without any script, and in English as the commands are. A form
/// needs the token of the page it was on, and comes from no other site. A code is never shown whole, a token never.
package final class OperatorConsole: Sendable {
    package struct Parts: Sendable {
        package let domain: Entitlements
        package let metrics: Metrics
        /// Whether those of this machine sign in, too.
        package var asksEveryone = false
        /// The newest boxes whose names are looked at for a part of a name.
        var mostNamesRead = 2000
        /// The name of an operator of this machine in the audit log.
        package var localName: @Sendable (HTTPRequest) -> String = { _ in "console" }
        /// Faults of the configuration and warnings about it, as sentences.
        package let warnings: @Sendable () -> [String]
        /// Facts of the machine and its files: version, certificate, backup, store.
        package var facts: @Sendable () -> [Fact] = { [] }
        package var explain:
            @Sendable (Resource, SignedInBox, Timestamp) async throws(EntitlementError) -> Explanation = {
                _, _, _ in ([], nil)
            }
        package let logger: Logger
        package let now: @Sendable () -> Timestamp
        package let uptime: Uptime

        package init(
            domain: Entitlements, metrics: Metrics, warnings: @escaping @Sendable () -> [String], logger: Logger,
            now: @escaping @Sendable () -> Timestamp, uptime: @escaping Uptime
        ) {
            self.domain = domain
            self.metrics = metrics
            self.warnings = warnings
            self.uptime = uptime
            self.logger = logger
            self.now = now
        }
    }

    package typealias Fact = (name: String, value: String)

    /// Why a box may play something or not, step by step; `mayPlay` is `nil` if only the provider knows.
    package typealias Explanation = (steps: [(step: String, answer: String)], mayPlay: Bool?)

    /// Bytes of a form.
    private static let bodyLimit = 16_384
    private static let mostPairs = 16

    let parts: Parts
    /// The client ID of each session, by its hash, and when the session ends. A restart signs all out.
    let sessions = Mutex<[[UInt8]: (client: String, ends: Timestamp)]>([:])
    /// Wrong credentials are no guess that succeeds; this keeps them from being work.
    private let attempts = AddressRate(callsPerMinute: 20)
    private let assets: AssetCatalogue
    private let library: PageLibrary

    /// - Throws: the fault of a file of the pages.
    package init(_ parts: Parts) throws(TemplateFault) {
        self.parts = parts
        let shared = WebFiles.assets.filter { ["latchkey.css", "favicon.svg"].contains($0.name) }
        self.assets = try AssetCatalogue(shared + [WebFiles.consoleStyle])
        self.library = try PageLibrary(
            pages: WebFiles.console, locales: WebFiles.locales.filter { $0.name == "en.json" }, assets: self.assets)
    }

    /// Every page, and the answers no page gives.
    package func router() -> Router {
        var router = Router()
        let pages = RouteGroup(before: { self.foreignPage($0) })
        for (method, path, name, purpose, handler) in Self.ways {
            router.on(method, path: path, name: name, group: pages, bodyLimit: Self.bodyLimit) { request in
                .later { await self.answer(request, purpose, handler) }
            }
        }
        router.on(
            .get, .post, path: ConsolePath.signIn, name: "console-sign-in", group: pages, bodyLimit: Self.bodyLimit
        ) { request in .later { await self.signIn(request) } }
        for asset in self.assets.assets {
            let answer = HTTPResponse(headers: PageHeaders.fields(of: asset), body: asset.bytes)
            router.on(.get, path: asset.path, name: "console-file") { _ in .now(answer) }
        }
        router.fallback = { request, status in
            self.problem(
                status.reason, "There is no such page, or it takes another method.", status: status, request)
        }
        return router
    }
}

struct ConsoleVisit: Sendable {
    let request: HTTPRequest
    /// The fields of a form that a page of this session sent; `nil` for a page.
    let form: HTTPParameters?
    let session: BrowserSession
    let `operator`: OperatorConsole.Operator
    let now: Timestamp
}

enum ConsoleAnswer: Sendable {
    /// - Parameter at: its place in the navigation.
    case page(Page, at: String, status: HTTPStatus = .ok)
    /// A heading and a sentence where nothing is.
    case problem(String, String)
    /// To another page, by GET, so that reloading sends no form again.
    case go(String)
}

// The way of a request.
extension OperatorConsole {
    private typealias Handler =
        @Sendable (OperatorConsole) -> (ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer

    /// Every page and form of operators who may see them, with the purpose of the form; a page has none.
    private static let ways: [(HTTPMethod, path: String, name: String, FormToken.Purpose?, Handler)] = [
        (.get, ConsolePath.overview, "console", nil, OperatorConsole.overview),
        (.get, ConsolePath.boxes, "console-boxes", nil, OperatorConsole.boxes),
        (.post, ConsolePath.boxes, "console-boxes", .consoleBoxes, OperatorConsole.boxes),
        (.get, ConsolePath.box, "console-box", nil, OperatorConsole.box),
        (.get, ConsolePath.revoke, "console-revoke", nil, OperatorConsole.revoke),
        (.post, ConsolePath.revoke, "console-revoke", .consoleRevoke, OperatorConsole.revoke),
        (.post, ConsolePath.endSignIns, "console-sign-out-box", .consoleEnd, OperatorConsole.endSignIns),
        (.get, ConsolePath.audit, "console-audit", nil, OperatorConsole.audit),
        (.post, ConsolePath.audit, "console-audit", .consoleAudit, OperatorConsole.audit),
        (.post, ConsolePath.cancel, "console-cancel", .consoleCancel, OperatorConsole.cancel),
        (.post, ConsolePath.signOut, "console-sign-out", .consoleSignOut, OperatorConsole.signOut),
    ]

    private func answer(
        _ request: HTTPRequest, _ purpose: FormToken.Purpose?, _ handler: Handler
    ) async -> HTTPResponse {
        let (now, session) = (self.parts.now(), Self.session(of: request))
        do throws(EntitlementError) {
            guard let known = try await self.operator(of: request, session, now: now) else {
                return self.signInPage(request, session)
            }
            if let purpose, !self.isSentByUs(request, session, purpose) { return self.foreignForm(request) }
            let visit = ConsoleVisit(
                request: request, form: purpose == nil ? nil : request.form, session: session, operator: known, now: now
            )
            let signOut = known.isSignedIn ? self.token(.consoleSignOut, session) : nil
            switch try await handler(self)(visit) {
            case .page(let page, let path, let status):
                return self.rendered(page, at: path, status: status, request, signOut: signOut, session)
            case .problem(let heading, let sentence):
                return self.problem(heading, sentence, status: .notFound, request, signOut: signOut, session)
            case .go(let path): return Self.redirect(to: path)
            }
        } catch {
            return self.trouble(error, request)
        }
    }

    private func trouble(_ error: EntitlementError, _ request: HTTPRequest) -> HTTPResponse {
        self.parts.logger.named("console").error(
            "a page could not be shown",
            [
                .requestID: .text(request.id.description), .error: .text(error.code.description),
                .detail: .text(error.detail ?? ""),
            ])
        return self.problem(
            "Not now", "The store does not answer as it should; the log says more.", status: .serviceUnavailable,
            request)
    }

    private func problem(
        _ heading: String, _ sentence: String, status: HTTPStatus, _ request: HTTPRequest, signOut: FormToken? = nil,
        _ session: BrowserSession? = nil
    ) -> HTTPResponse {
        self.rendered(
            Page("problem", ["heading": .text(heading), "sentence": .text(sentence)]), at: nil, status: status,
            request, signOut: signOut, session)
    }

    private func isSentByUs(_ request: HTTPRequest, _ session: BrowserSession, _ purpose: FormToken.Purpose) -> Bool {
        let form = request.form
        return !session.isNew && FormOrigin.isOurs(request) && !form.exceed(pairs: Self.mostPairs)
            && !form.hasRepeatedName && self.token(purpose, session).matches(form[FormToken.field])
    }

    private func foreignForm(_ request: HTTPRequest) -> HTTPResponse {
        self.problem(
            "Nothing was changed", "This form was not sent from a page that this browser was shown.",
            status: .forbidden, request)
    }

    /// The strict cookie stays away from what another site began. A page with a new one would sign the operator out.
    private func foreignPage(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.headers.has("Sec-Fetch-Site", "cross-site") else { return nil }
        return self.problem("One more step", "Another site led here. Nothing was changed.", status: .forbidden, request)
    }

    private static func session(of request: HTTPRequest) -> BrowserSession {
        BrowserSession.of(request, in: self.cookie, isSecure: request.isSecure)
    }

    private func token(_ purpose: FormToken.Purpose, _ session: BrowserSession) -> FormToken {
        FormToken(purpose, browser: session, key: self.parts.domain.keys.forms)
    }

    func formToken(_ purpose: FormToken.Purpose, _ visit: ConsoleVisit) -> TemplateValue {
        .text(self.token(purpose, visit.session).text)
    }

    /// - Parameters:
    ///   - path: its place in the navigation; `nil` on one that has none.
    ///   - signOut: the token of the form that signs out; `nil` for an operator who did not sign in.
    ///   - session: given to a browser that has none yet; `nil` gives none.
    private func rendered(
        _ page: Page, at path: String?, status: HTTPStatus, _ request: HTTPRequest, signOut: FormToken? = nil,
        _ session: BrowserSession? = nil
    ) -> HTTPResponse {
        let frame: TemplateValues = [
            "navigation": .list(path == nil ? [] : ConsolePath.navigation) { to, name in
                ["path": .text(to), "name": .text(name), "isCurrent": .flag(to == path)]
            },
            "signOutToken": .optional(signOut?.text), "asOf": ConsoleTime.value(self.parts.now()),
        ]
        let document: [UInt8]
        do throws(TemplateFault) {
            document = try self.library.render(page, in: "en", frame: frame)
        } catch {
            self.parts.logger.named("console").error(
                "a template could not be rendered",
                [.requestID: .text(request.id.description), .detail: .text(error.description)])
            return .text("Internal Server Error\n", status: .internalServerError)
        }
        var headers = PageHeaders.fields(language: "en", formTargets: .ours)
        headers.set(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; "
                + "base-uri 'none'")
        headers.set("Vary", "Cookie")
        if let session, session.isNew { headers.add("Set-Cookie", session.cookie(isSecure: request.isSecure)) }
        return HTTPResponse(status: status, headers: headers, body: document)
    }

    private static func redirect(to path: String) -> HTTPResponse {
        Answer.redirect(to: path, status: .seeOther).adding("Referrer-Policy", "no-referrer")
    }

    private func signInPage(
        _ request: HTTPRequest, _ session: BrowserSession, refusal: String? = nil, status: HTTPStatus = .ok
    ) -> HTTPResponse {
        let token = self.token(.consoleSignIn, session)
        return self.rendered(
            Page("sign-in", ["formToken": .text(token.text), "refusal": .optional(refusal)]), at: nil, status: status,
            request, session)
    }

    private func signOut(_ visit: ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer {
        let hash = self.parts.domain.keys.sessionHash(visit.session.identity)
        self.sessions.withLock { $0[hash] = nil }
        return .go(ConsolePath.overview)
    }

    private func signIn(_ request: HTTPRequest) async -> HTTPResponse {
        let (now, session) = (self.parts.now(), Self.session(of: request))
        guard request.method == .post else { return self.signInPage(request, session) }
        guard self.isSentByUs(request, session, .consoleSignIn) else { return self.foreignForm(request) }
        guard self.attempts.admit(request.remoteAddress, now: now) == nil else {
            return self.signInPage(
                request, session, refusal: "Too many tries; wait a minute.", status: .tooManyRequests)
        }
        do throws(EntitlementError) {
            let form = request.form
            guard let made = try await self.signIn(form["client"] ?? "", form["secret"] ?? "", now: now) else {
                return self.signInPage(
                    request, session, refusal: "No client with this secret may manage everything here.",
                    status: .forbidden)
            }
            return Self.redirect(to: ConsolePath.overview)
                .adding("Set-Cookie", made.cookie(isSecure: request.isSecure))
        } catch {
            return self.trouble(error, request)
        }
    }
}
