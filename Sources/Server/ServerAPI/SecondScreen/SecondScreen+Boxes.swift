import Clientless
import Entitlement
import HTTPServer
import TextCoding

/// The boxes of a viewer: signing in to see them, naming them, signing them out; and what a message about a new box leads
/// to.
extension SecondScreen {
    /// The list, for a browser whose viewer signed in a moment ago; else the providers to sign in at.
    func showBoxes(_ visit: Visit) async throws -> ScreenAnswer {
        guard let token = visit.query["attempt"] else { return .page(self.boxesPicker(visit, problem: nil)) }
        let (view, found) = try await self.viewer(token, visit)
        guard let viewer = found else { return try self.elsewhere(view, token, visit) }
        let news: Phrase? =
            switch visit.query["did"] {
            case "named": Phrase(.boxNamed)
            case "ended":
                visit.query["name"].flatMap { ForeignText($0, limit: 60) }.map {
                    Phrase(.boxEnded, ["boxName": .foreign($0)])
                } ?? Phrase(.namelessEnded)
            case "ended-all": Phrase(.boxesEnded)
            case .some, nil: nil
            }
        return .page(try await self.boxesPage(viewer, view, token, visit, news: news, problem: nil))
    }

    func beginBoxes(_ visit: Visit) async throws -> ScreenAnswer {
        guard let mvpd = visit.form["mvpd"].flatMap({ MVPDID($0) }),
            self.domain.catalogue.mvpdsOfViewers.contains(where: { $0.id == mvpd })
        else { return .page(self.boxesPicker(visit, problem: .providerPick), status: .badRequest) }
        let start: LoginStart
        do throws(EntitlementError) {
            start = try await self.domain.logins.beginForBoxes(
                at: mvpd, browser: visit.browser.identity, callback: self.settings.callback(of: mvpd),
                asksAnew: Self.asksAnew(visit.request, isSecure: visit.isSecure), by: visit.guesser, now: visit.now)
        } catch {
            throw Problem(error, goingOn: .boxes)
        }
        switch start.handover {
        case .signInPage: return .go(ScreenPath.signIn(start.token))
        // As on the way to a confirmation: a page of ours in between begins anew.
        case .redirect, .form: return .go(ScreenPath.handOver(start.token))
        case .accepted: return .go(ScreenPath.boxes(start.token))
        }
    }

    func changeBox(_ visit: Visit) async throws -> ScreenAnswer {
        let token = visit.form["attempt"] ?? ""
        let (view, found) = try await self.viewer(token, visit)
        guard let viewer = found else { return try self.elsewhere(view, token, visit) }
        let boxes = self.domain.boxes
        if visit.form["change"] == "end-all" {
            try await boxes.signOutAll(of: viewer, now: visit.now)
            return .go("\(ScreenPath.boxes(token))&did=ended-all")
        }
        guard let box = visit.form["box"].flatMap({ BoxHandle($0) }) else { throw Problem(.malformed, goingOn: .boxes) }
        switch visit.form["change"] {
        case "name":
            guard let name = visit.form["name"].flatMap({ ForeignText($0, limit: 60) }) else {
                let page = try await self.boxesPage(viewer, view, token, visit, news: nil, problem: .boxNameMissing)
                return .page(page, status: .badRequest)
            }
            guard try await boxes.rename(box, to: name.text, of: viewer, now: visit.now) else {
                let page = try await self.boxesPage(viewer, view, token, visit, news: nil, problem: .boxUnknown)
                return .page(page, status: .badRequest)
            }
            return .go("\(ScreenPath.boxes(token))&did=named")
        case "end":
            let ended = try await boxes.signOut(box, of: viewer, now: visit.now)
            // A form that is sent twice finds the box gone: that is what the viewer wanted.
            let name = ended?.name.map { "&name=\(PercentCoding.encoded($0))" } ?? ""
            return .go("\(ScreenPath.boxes(token))&did=ended\(name)")
        default: throw Problem(.malformed, goingOn: .boxes)
        }
    }

    /// Asks once more before all boxes are signed out.
    func askAboutAll(_ visit: Visit) async throws -> ScreenAnswer {
        guard let token = visit.query["attempt"] else { return .go(ScreenPath.boxes) }
        let (view, viewer) = try await self.viewer(token, visit)
        guard viewer != nil else { return try self.elsewhere(view, token, visit) }
        return .page(
            Page(
                "boxes-all", mayBeCompressed: true,
                [
                    "attempt": .text(token), "formToken": self.formToken(.boxes, visit),
                    "boxesPath": .text(ScreenPath.boxes(token)),
                ]))
    }

    /// The viewer has seen enough: for a day no page or link leads to the list or to another TV before a provider asked.
    func endBoxes(_ visit: Visit) async throws -> ScreenAnswer {
        let token = visit.form["attempt"] ?? ""
        if let found = try? await self.viewer(token, visit), found.viewer != nil {
            _ = try await self.domain.logins.decline(token, browser: visit.browser.identity, now: visit.now)
        }
        return self.forgetting(visit, isDone: true, at: ScreenPath.boxes)
    }

    /// The box that a message told of. Looking at it changes nothing: programs that read mail follow links.
    func showNotice(_ visit: Visit) async throws -> ScreenAnswer {
        let notice = visit.query["notice"] ?? ""
        let box = try await self.domain.boxes.noticed(notice, now: visit.now)
        return .page(self.noticePage(notice, box, visit, wasEnded: false))
    }

    /// "This was not me."
    func takeNotice(_ visit: Visit) async throws -> ScreenAnswer {
        let notice = visit.form["notice"] ?? ""
        let box = try await self.domain.boxes.noticed(notice, now: visit.now)
        try await self.domain.boxes.disown(notice, now: visit.now)
        return .page(self.noticePage(notice, box, visit, wasEnded: box != nil))
    }
}

extension SecondScreen {
    /// The login that a page of boxes rests on, and whose they are.
    /// - Returns: no viewer while the login is at another stage.
    private func viewer(_ token: String, _ visit: Visit) async throws -> (view: LoginView, viewer: Viewer?) {
        do {
            let view = try await self.login(token, visit)
            return (view, try await self.domain.logins.viewer(of: view, now: visit.now))
        } catch {
            guard Problem(of: error).kind == .session else { throw error }
            throw Problem(.session, goingOn: .boxes)
        }
    }

    /// To where a login is that has not led to the list.
    private func elsewhere(_ view: LoginView, _ token: String, _ visit: Visit) throws(Problem) -> ScreenAnswer {
        // A viewer without an account, whom the list is not for.
        guard view.stage(at: visit.now) != .boxes else { throw Problem(.session, goingOn: .boxes) }
        return try self.proceed(view, token, visit)
    }
}
