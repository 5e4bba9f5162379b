package import Clientless
import Cryptography
package import Entitlement
package import HTTPServer
package import Observability
import WebPages

/// The operator's pages, on a listener of their own: how pairing goes, open codes, providers, boxes, the audit log, what
/// the configuration should not have.
///
/// They are plain forms without any script, in the style of the viewers' pages, and in English as the commands are. A form
/// needs the token of the page it was on, and comes from no other site. A code is never shown whole, a token never.
package final class OperatorConsole: Sendable {
    /// What the console is made of.
    package struct Parts: Sendable {
        package let domain: Entitlements
        /// Whether those of this machine sign in, too.
        package var asksEveryone = false
        /// What the audit log calls an operator of this machine.
        package var localName: @Sendable (HTTPRequest) -> String = { _ in "console" }
        /// What is wrong with the configuration, or should not surprise: sentences.
        package let warnings: @Sendable () -> [String]
        package let logger: Logger
        package let now: @Sendable () -> Timestamp

        package init(
            domain: Entitlements, warnings: @escaping @Sendable () -> [String], logger: Logger,
            now: @escaping @Sendable () -> Timestamp
        ) {
            self.domain = domain
            self.warnings = warnings
            self.logger = logger
            self.now = now
        }
    }

    /// Bytes of a form.
    private static let bodyLimit = 16_384
    private static let mostPairs = 16
    /// The most counts of reports that one page is made of.
    private static let mostCounts = 100_000

    private let parts: Parts
    private let access: ConsoleAccess
    private let assets: AssetCatalogue

    /// - Throws: the fault of a file of the pages.
    package init(_ parts: Parts) throws(TemplateFault) {
        self.parts = parts
        self.access = ConsoleAccess(parts.domain, asksEveryone: parts.asksEveryone, localName: parts.localName)
        self.assets = try AssetCatalogue(WebFiles.assets.filter { ["latchkey.css", "favicon.svg"].contains($0.name) })
    }

    /// Every page, and the answers no page gives.
    package func router() -> Router {
        var router = Router()
        self.add(.get, ConsolePage.Path.overview, "console", to: &router) { console, visit throws(EntitlementError) in
            try await console.overview(visit)
        }
        self.add(.get, ConsolePage.Path.boxes, "console-boxes", to: &router) {
            console, visit throws(EntitlementError) in
            try await console.boxes(visit, ConsoleBoxesPage.Question())
        }
        self.add(.post, ConsolePage.Path.boxes, "console-boxes", .consoleBoxes, to: &router) {
            console, visit throws(EntitlementError) in
            try await console.boxes(visit, console.question(visit.request.form))
        }
        self.add(.post, ConsolePage.Path.endSignIns, "console-sign-out-box", .consoleEnd, to: &router) {
            console, visit throws(EntitlementError) in
            try await console.endSignIns(visit)
        }
        self.add(.get, ConsolePage.Path.audit, "console-audit", to: &router) {
            console, visit throws(EntitlementError) in
            try await console.audit(visit, AuditPage.Question())
        }
        self.add(.post, ConsolePage.Path.audit, "console-audit", .consoleAudit, to: &router) {
            console, visit throws(EntitlementError) in
            let form = visit.request.form
            return try await console.audit(
                visit,
                AuditPage.Question(
                    subject: form["subject"] ?? "", actor: form["actor"] ?? "", since: form["since"] ?? "",
                    until: form["until"] ?? ""))
        }
        self.add(.post, ConsolePage.Path.cancel, "console-cancel", .consoleCancel, to: &router) {
            console, visit throws(EntitlementError) in
            try await console.cancel(visit)
        }
        self.add(.post, ConsolePage.Path.signOut, "console-sign-out", .consoleSignOut, to: &router) {
            console, visit throws(EntitlementError) in
            console.access.signOut(visit.session)
            return .go(ConsolePage.Path.overview)
        }
        router.on(.get, .post, path: ConsolePage.Path.signIn, name: "console-sign-in", bodyLimit: Self.bodyLimit) {
            request in .later { await self.signIn(request) }
        }
        self.addFiles(to: &router)
        router.fallback = { request, status in
            let page = ConsolePage.problem(
                status.reason, "There is no such page, or it is asked for otherwise.", status)
            return self.rendered(page, request, at: nil, signOut: nil)
        }
        return router
    }

    private func addFiles(to router: inout Router) {
        let style = AssetCatalogue.Asset(
            path: ConsoleStyle.path, contentType: "text/css; charset=utf-8", bytes: Array(ConsoleStyle.text.utf8))
        for asset in self.assets.assets + [style] {
            var response = HTTPResponse(headers: PageHeaders.fields(of: asset), body: .bytes(asset.bytes))
            // Its address does not change with its content.
            if asset.path == ConsoleStyle.path { response.headers.set("Cache-Control", "no-cache") }
            let answer = response
            router.on(.get, path: asset.path, name: "console-file") { _ in .now(answer) }
        }
    }
}

/// A request of an operator who may see the console.
private struct ConsoleVisit: Sendable {
    let request: HTTPRequest
    let session: ConsoleSession
    let `operator`: ConsoleAccess.Operator
    let now: Timestamp
}

/// What a handler of the console says.
private enum ConsoleAnswer: Sendable {
    case page(ConsolePage)
    /// To another page, by GET, so that reloading sends no form again.
    case go(String)
}

// The way of a request.
extension OperatorConsole {
    private typealias Handler =
        @Sendable (OperatorConsole, ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer

    /// - Parameter purpose: of the form that sends the request; `nil` for a page.
    private func add(
        _ method: HTTPMethod, _ path: String, _ name: String, _ purpose: FormToken.Purpose? = nil,
        to router: inout Router, handler: @escaping Handler
    ) {
        router.on(method, path: path, name: name, bodyLimit: Self.bodyLimit) { request in
            .later { await self.answer(request, at: path, purpose, handler) }
        }
    }

    private func answer(
        _ request: HTTPRequest, at path: String, _ purpose: FormToken.Purpose?, _ handler: Handler
    ) async -> HTTPResponse {
        let (now, session) = (self.parts.now(), ConsoleSession(of: request))
        do throws(EntitlementError) {
            guard let known = try await self.access.operator(of: request, session, now: now) else {
                return self.signInPage(request, session)
            }
            let visit = ConsoleVisit(request: request, session: session, operator: known, now: now)
            if let purpose, !self.isSentByUs(request, session, purpose) { return self.foreignForm(request) }
            switch try await handler(self, visit) {
            case .page(let page):
                let signOut = known.isSignedIn ? self.token(.consoleSignOut, session) : nil
                return self.rendered(page, request, at: path, signOut: signOut, session)
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
        let page = ConsolePage.problem(
            "Not now", "The store does not answer as it should; the log says more.", .serviceUnavailable)
        return self.rendered(page, request, at: nil, signOut: nil)
    }

    private func isSentByUs(
        _ request: HTTPRequest, _ session: ConsoleSession, _ purpose: FormToken.Purpose
    ) -> Bool {
        let form = request.form
        return !session.browser.isNew && FormOrigin.isOurs(request) && !form.exceed(pairs: Self.mostPairs)
            && !form.hasRepeatedName && self.token(purpose, session).matches(form[FormToken.field])
    }

    private func foreignForm(_ request: HTTPRequest) -> HTTPResponse {
        let page = ConsolePage.problem(
            "Nothing was changed", "This form was not sent from a page that this browser was shown.", .forbidden)
        return self.rendered(page, request, at: nil, signOut: nil)
    }

    private func token(_ purpose: FormToken.Purpose, _ session: ConsoleSession) -> FormToken {
        FormToken(purpose, browser: session.browser, key: self.parts.domain.keys.forms)
    }

    /// - Parameter session: given to a browser that has none yet; `nil` gives none.
    private func rendered(
        _ page: ConsolePage, _ request: HTTPRequest, at path: String?, signOut: FormToken?,
        _ session: ConsoleSession? = nil
    ) -> HTTPResponse {
        let document = page.document(
            at: path, signOut: signOut, style: self.assets.paths["latchkey.css"] ?? "",
            icon: self.assets.paths["favicon.svg"] ?? "", now: self.parts.now())
        var headers = PageHeaders.fields(language: "en", formTargets: .ours)
        headers.set(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; "
                + "base-uri 'none'")
        headers.set("Vary", "Cookie")
        if let session, session.browser.isNew {
            headers.add("Set-Cookie", session.cookie(isSecure: request.isSecure))
        }
        return HTTPResponse(status: page.status, headers: headers, body: .text(document))
    }

    private static func redirect(to path: String) -> HTTPResponse {
        HTTPResponse.redirect(to: path, status: .seeOther).setting("Cache-Control", "no-store")
            .setting("Referrer-Policy", "no-referrer")
    }
}

// Signing in.
extension OperatorConsole {
    private func signInPage(
        _ request: HTTPRequest, _ session: ConsoleSession, refusal: String? = nil, status: HTTPStatus = .ok
    ) -> HTTPResponse {
        self.rendered(
            .signIn(self.token(.consoleSignIn, session), refusal: refusal, status: status), request, at: nil,
            signOut: nil, session)
    }

    private func signIn(_ request: HTTPRequest) async -> HTTPResponse {
        let (now, session) = (self.parts.now(), ConsoleSession(of: request))
        guard request.method == .post else { return self.signInPage(request, session) }
        guard self.isSentByUs(request, session, .consoleSignIn) else { return self.foreignForm(request) }
        do throws(EntitlementError) {
            let form = request.form
            switch try await self.access.signIn(form["client"] ?? "", form["secret"] ?? "", from: request, now: now) {
            case .signedIn(let session):
                return Self.redirect(to: ConsolePage.Path.overview)
                    .adding("Set-Cookie", session.cookie(isSecure: request.isSecure))
            case .refused:
                return self.signInPage(
                    request, session, refusal: "No client with this secret may manage everything here.",
                    status: .forbidden)
            case .tooMany:
                return self.signInPage(
                    request, session, refusal: "Too many tries; wait a minute.", status: .tooManyRequests)
            }
        } catch {
            return self.trouble(error, request)
        }
    }
}

// What the pages show and do.
extension OperatorConsole {
    private func overview(_ visit: ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer {
        let (domain, now) = (self.parts.domain, visit.now)
        let day = try await self.lastDay(before: now)
        let notice: String? =
            switch visit.request.query["done"] {
            case "cancelled": "The code is cancelled, and its box is told so."
            case "gone": "The code was over already."
            default: nil
            }
        return .page(
            OverviewPage(
                lastHour: domain.reports.lastHour(before: now), lastDay: day.counts, isDayCut: day.isCut,
                codes: try await domain.codes.openCodes(limit: OverviewPage.mostCodes, now: now),
                openCount: domain.codes.openCount, providers: ProviderRow.all(of: domain),
                warnings: self.parts.warnings(), token: self.token(.consoleCancel, visit.session), notice: notice,
                now: now
            ).page)
    }

    /// A row for each hour up to that of `now`, with the count of each kind of event.
    private func lastDay(before now: Timestamp) async throws(EntitlementError) -> (counts: [[Int]], isCut: Bool) {
        let last = ReportCount.Key.hour(of: now)
        let first = last - 23
        let (found, hasMore) = try await self.parts.domain.reports.counts(
            from: Timestamp(seconds: first * 3600), until: now, limit: Self.mostCounts)
        var rows = Array(repeating: Array(repeating: 0, count: BoxEvent.Kind.allCases.count), count: 24)
        for count in found {
            let row = Int(count.key.hour - first)
            guard rows.indices.contains(row), let kind = BoxEvent.Kind.allCases.firstIndex(of: count.key.event)
            else { continue }
            rows[row][kind] += count.count
        }
        return (rows, hasMore)
    }

    private func cancel(_ visit: ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer {
        let isCancelled = try await self.parts.domain.codes.cancel(
            visit.request.form["code"] ?? "", actor: visit.operator.name, now: visit.now)
        return .go("\(ConsolePage.Path.overview)?done=\(isCancelled ? "cancelled" : "gone")")
    }

    private func question(_ form: HTTPParameters) -> ConsoleBoxesPage.Question {
        ConsoleBoxesPage.Question(
            viewer: form["viewer"] ?? "", requestor: form["requestor"] ?? "", provider: form["provider"] ?? "")
    }

    private func audit(
        _ visit: ConsoleVisit, _ question: AuditPage.Question
    ) async throws(EntitlementError) -> ConsoleAnswer {
        var selection: AuditSelection?
        var fault: String?
        do throws(AuditPage.Fault) {
            selection = try question.selection()
        } catch {
            fault = error.sentence
        }
        var entries: [AuditEntry] = []
        if let selection {
            entries = try await self.parts.domain.operations.auditEntries(selection, limit: AuditPage.mostEntries)
        }
        return .page(
            AuditPage(
                question: question, fault: fault, entries: entries,
                searching: self.token(.consoleAudit, visit.session)
            ).page)
    }

    private func boxes(
        _ visit: ConsoleVisit, _ question: ConsoleBoxesPage.Question
    ) async throws(EntitlementError) -> ConsoleAnswer {
        var found: (boxes: [SignedInBox], hasMore: Bool) = ([], false)
        var fault: String?
        switch try await self.selection(question) {
        case .success(let selection):
            found = try await self.parts.domain.operations.boxes(selection, limit: ConsoleBoxesPage.mostBoxes)
        case .failure(let wrong): fault = wrong.sentence
        }
        let notice: String? = visit.request.query["done"] == "ended" ? "The sign-ins of the box ended." : nil
        return .page(
            ConsoleBoxesPage(
                question: question, fault: fault, boxes: found.boxes, hasMore: found.hasMore,
                searching: self.token(.consoleBoxes, visit.session), ending: self.token(.consoleEnd, visit.session),
                notice: notice, now: visit.now
            ).page)
    }

    private struct WrongQuestion: Error {
        let sentence: String
    }

    /// What a question selects; a field that names nothing is said by its name.
    private func selection(
        _ question: ConsoleBoxesPage.Question
    ) async throws(EntitlementError) -> Result<SignInSelection, WrongQuestion> {
        let (domain, longest) = (self.parts.domain, ConsoleBoxesPage.Question.longest)
        var selection = SignInSelection.all
        var provider: MVPDID?
        if !question.provider.isEmpty {
            guard question.provider.utf8.count <= longest.provider, let id = MVPDID(question.provider),
                domain.catalogue.mvpd(id) != nil
            else { return .failure(WrongQuestion(sentence: "TV provider: the configuration has none with this ID.")) }
            provider = id
        }
        if !question.viewer.isEmpty {
            guard question.viewer.utf8.count <= longest.viewer else {
                return .failure(WrongQuestion(sentence: "Viewer: at most \(longest.viewer) bytes."))
            }
            if let provider, let account = try await domain.accounts.account(question.viewer, of: provider) {
                selection = .viewer(account.id, of: provider)
            } else if Hex.decode(question.viewer)?.count == 32 {
                selection.userID = question.viewer.lowercased()
            } else {
                return .failure(
                    WrongQuestion(
                        sentence: "Viewer: no pseudonym of 64 hex digits, and no account at that TV provider."))
            }
        }
        selection.provider = provider
        if !question.requestor.isEmpty {
            guard question.requestor.utf8.count <= longest.requestor, let id = RequestorID(question.requestor),
                domain.catalogue.requestor(id) != nil
            else { return .failure(WrongQuestion(sentence: "Brand: the configuration has none with this ID.")) }
            selection.requestor = id
        }
        return .success(selection)
    }

    /// Ends what a box has, of all brands, as 'latchkeyd boxes sign-out' does.
    private func endSignIns(_ visit: ConsoleVisit) async throws(EntitlementError) -> ConsoleAnswer {
        let operations = self.parts.domain.operations
        if let text = visit.request.form["box"], let name = BoxName(text) {
            let boxes = try await operations.boxes(named: name)
            // Two boxes of one name are one guess in 2^64, and none of them is ended by it.
            if boxes.count == 1, let box = boxes.first {
                _ = try await operations.deleteRecords(of: box.device, actor: visit.operator.name, now: visit.now)
                return .go("\(ConsolePage.Path.boxes)?done=ended")
            }
        }
        return .page(
            .problem("Nothing was changed", "Nothing is kept of this box any more.", .notFound))
    }
}
