import Clientless
import Entitlement
import HTTPServer

/// Logins at providers with pages of their own: the way there, and the way back.
extension SecondScreen {
    /// Sends the browser to the provider: with a new navigation, which the policy for forms of the page before does not
    /// hold for, or with a form, which the provider may answer by a redirect to whatever host it likes.
    func showHandOver(_ visit: Visit) async throws -> ScreenAnswer {
        guard let token = visit.query["attempt"] else { return .go(ScreenPath.activate) }
        let view = try await self.login(token, visit)
        guard view.stage(at: visit.now) == .handedOver else { return try self.proceed(view, token, visit) }
        switch try self.domain.logins.handover(of: view) {
        case .redirect(let url):
            return .page(.handOver(view, to: url, nil), goingOnAt: url)
        case .form(let form):
            return .page(.handOver(view, to: form.address, form), formTargets: .onward(from: form.address))
        case .signInPage, .accepted, nil: throw Problem(.session)
        }
    }

    /// Takes an answer that a form brought. A form of another site comes without the browser's cookie (`SameSite=Lax`): the
    /// browser sends the same once more, from a page of this server. The answer is not kept meanwhile.
    func take(
        _ callback: ProviderCallback, _ reference: String, from mvpd: MVPDID, _ visit: Visit
    ) async throws -> ScreenAnswer {
        guard visit.browser.isNew, visit.request.query["again"] == nil
        else { return try await self.goOn(reference, with: callback, from: mvpd, visit) }
        let attempt: LoginAttempt
        do throws(EntitlementError) {
            attempt = try await self.domain.logins.named(reference, from: mvpd, now: visit.now)
        } catch {
            guard error.code == .loginUnknown else { throw error }
            throw Problem(.loginOver)
        }
        let fields = callback.parameters.map { NamedText($0.name, $0.value) }
        let form = ProviderForm(to: "\(visit.request.path)?again=yes", fields)
        let name = self.domain.catalogue.requestor(attempt.requestor)?.name ?? attempt.requestor.text
        let home: String? = if case .foreignPage(let address) = attempt.origin { address } else { nil }
        return .page(.handOver(answering: name, form), formTargets: home.map { FormTargets.onward(from: $0) } ?? .ours)
    }

    /// Takes the provider's answer, and goes where the login is then.
    /// - Parameter mvpd: whose answer it is.
    func goOn(
        _ reference: String, with callback: ProviderCallback, from mvpd: MVPDID, _ visit: Visit
    ) async throws -> ScreenAnswer {
        let outcome = try await self.domain.logins.answer(
            reference, browser: visit.browser.identity, with: callback, from: mvpd, by: visit.guesser, now: visit.now)
        switch outcome {
        case .went(let view): return try self.proceed(view, reference, visit)
        case .refused(let view, let refusal):
            return try self.leave(view, for: Problem(refusal, goingOn: Self.wayBack(from: view)), visit)
        case .failed(let view, let error):
            return try self.leave(view, for: Problem(error, goingOn: Self.wayBack(from: view)), visit)
        case .otherBrowser: throw Problem(.otherBrowser)
        case .over: throw Problem(.loginOver)
        }
    }

    /// To the page that began the login, which is told nothing (rest-v1 13.4); on our own, what is the matter.
    func leave(_ view: LoginView, for problem: Problem, _ visit: Visit) throws(Problem) -> ScreenAnswer {
        switch view.attempt.origin {
        case .foreignPage(let address):
            self.log(problem, visit.request.id)
            return .leave(address)
        case .secondScreen, .boxList: throw problem
        }
    }

    /// To where the viewer picks a provider again.
    private static func wayBack(from view: LoginView) -> Problem.NextStep {
        switch view.attempt.origin {
        case .secondScreen, .foreignPage: .picker(view.record.code)
        case .boxList: .boxes
        }
    }
}
