package import Clientless
import Cryptography

/// The state of a login once a provider sent its browser back.
package enum CallbackOutcome: Sendable {
    /// The login is at this stage (``LoginView/stage(at:)``): after a yes, and for an answer that comes again.
    case went(LoginView)
    case refused(LoginView, ProviderRefusal)
    /// The answer was of no use, the login ended meanwhile, or the provider could not be asked about it.
    case failed(LoginView, EntitlementError)
    /// The login is another browser's.
    case otherBrowser
    /// No such login, another provider's, or its time is over.
    case over
}

// Logins at providers that send the browser back (rest-v1 13.4). The stored attempt holds everything such a login
// needs, so any node finishes what another began; the answer is taken out of the attempt before the provider is asked
// about it, so it counts once.
extension Logins {
    /// How often an attempt may change before it takes no further answer.
    private static let maximumChanges = 16

    /// The facts that a provider has to be told when the browser is back, and the way of the browser to it, kept sealed.
    func progress(
        _ start: ProviderStart, _ context: ProviderLoginContext, of view: LoginView, triesHome: Bool = false
    ) throws(EntitlementError) -> LoginAttempt.Progress {
        let exchange: ProviderExchange
        do throws(ProviderError) {
            exchange = try ProviderExchange(start, context, triesHome: triesHome)
        } catch {
            throw EntitlementError(error)
        }
        return .handedOver(
            sealedExchange: try self.openedExchanges.sealed(
                exchange, of: view.attempt.id, in: .exchange(of: view.attempt), by: self.keys))
    }

    /// How the browser of a login reaches the provider; `nil` for a login that is at another stage.
    /// - Throws: `internal`.
    package func handover(of view: LoginView) throws(EntitlementError) -> ProviderHandover? {
        guard case .handedOver(let sealed) = view.attempt.progress else { return nil }
        return try self.exchange(sealed, of: view.attempt).handover
    }

    /// The login that an answer names which came without the browser's cookie, as every form does that another site sends.
    /// The answer is not kept: the browser brings it once more, from a page of this server and with its cookie.
    /// - Parameter mvpd: the provider the answer is from, if the address says so.
    /// - Throws: `loginUnknown`, also for a login that is not at such a provider; `storeUnavailable`.
    package func named(
        _ reference: String, from mvpd: MVPDID?, now: Timestamp
    ) async throws(EntitlementError) -> LoginAttempt {
        guard let login = try await self.login(reference, from: mvpd, now: now), login.attempt.progress != .atProvider
        else { throw EntitlementError(.loginUnknown) }
        return login.attempt
    }

    /// Ends a login with what the provider sent the browser back with.
    ///
    /// - Parameter mvpd: the provider the answer is from, if the address says so. The answer of another provider than the one the login began at is
    ///   none (RFC 9700, 4.4).
    /// - Throws: `storeUnavailable`, `internal`.
    package func answer(
        _ reference: String, browser: Browser, with answer: ProviderCallback, from mvpd: MVPDID?,
        by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> CallbackOutcome {
        for _ in 0..<Self.maximumChanges {
            guard let login = try await self.login(reference, from: mvpd, now: now) else { return .over }
            let attempt = login.attempt
            guard constantTimeEqual(attempt.browser, self.browserHash(browser)) else { return .otherBrowser }
            // A view fails only if its login is unknown.
            guard var view = try? self.view(of: login) else { return .over }
            guard case .handedOver(let exchange) = attempt.progress, view.stage(at: now) == .handedOver
            else { return .went(view) }
            var taken = attempt
            taken.progress = .answered
            guard let taken = try await self.update(taken) else { continue }
            view.attempt = taken
            let context = try self.exchange(exchange, of: attempt)
            return try await self.end(view, answer, context, by: guesser, browser: browser, now: now)
        }
        throw EntitlementError(.storeUnavailable, detail: "every swap of one attempt was too late")
    }

    private func login(
        _ reference: String, from mvpd: MVPDID?, now: Timestamp
    ) async throws(EntitlementError) -> StoredLogin? {
        guard reference.utf8.count <= ProviderLoginContext.maximumReference else { return nil }
        let login = try await self.storedLogin(reference, now: now)
        return login.flatMap { mvpd == nil || $0.attempt.mvpd == mvpd ? $0 : nil }
    }

    private func exchange(_ sealed: [UInt8], of attempt: LoginAttempt) throws(EntitlementError) -> ProviderExchange {
        try self.openedExchanges.opened(sealed, of: attempt.id, in: .exchange(of: attempt), by: self.keys)
    }

    /// Asks the provider about an answer that was taken for good, and does what follows. A no is not a wrong password:
    /// who guesses at a provider does so there.
    private func end(
        _ view: LoginView, _ answer: ProviderCallback, _ exchange: ProviderExchange, by guesser: Guesser,
        browser: Browser, now: Timestamp
    ) async throws(EntitlementError) -> CallbackOutcome {
        do throws(EntitlementError) {
            let verdict = try await self.providers.ask(view.mvpd.id) { provider throws(ProviderError) in
                try await provider.complete(exchange.context, with: .callback(answer), state: exchange.state, now: now)
            }
            switch verdict {
            case .refused(let refusal) where exchange.triesHome && refusal.kind == .needsViewer:
                return .went(try await self.askViewer(view, exchange, now: now))
            case .refused(let refusal):
                return .refused(try await self.refuse(view, reason: refusal.sentence, now: now), refusal)
            case .accepted(var login):
                if let once = login.once.take() {
                    let isFirst = try await stored(
                        await self.store.takeNonce(
                            once.id, publicKey: "provider \(view.mvpd.id)", expires: once.until, now: now))
                    guard isFirst
                    else { throw EntitlementError(ProviderError(.unproven, detail: "the answer came before")) }
                }
                if let doubt = login.doubt.take() {
                    self.providers.report(.providerTrouble(view.mvpd.id, .signIns, .misconfigured, detail: doubt))
                }
                // The agreement of an operator on viewers at home.
                var end: Timestamp?
                if let home = view.mvpd.home {
                    login.metadata[HomeRules.key] = .text(exchange.triesHome ? "true" : "false")
                    if exchange.triesHome { end = now + home.lifetime }
                }
                return .went(
                    try await self.proceed(
                        view, AcceptedLogin(login: login, end: end), by: self.guesser(guesser, browser: browser),
                        now: now))
            }
        } catch {
            switch error.code {
            case .providerUnavailable, .loginUnknown: return .failed(view, error)
            // Meanwhile another login completed the code, or it was declined or ran out.
            case .codeUsed, .codeDeclined, .codeUnknown:
                guard let record = try await self.codes.storedCode(view.record.code)
                else { throw EntitlementError(.loginUnknown) }
                return .went(try self.view(of: (view.attempt, record)))
            case .unknownRequestor, .unknownProvider, .notAuthenticated, .authenticationExpired,
                .authenticationRevoked, .notAuthorized, .authorizationMissing, .authorizationExpired,
                .tooManyResources, .foreignToken, .deviceMismatch, .trialExhausted, .passiveNotPossible,
                .platformRefused, .tooManyAttempts, .storeUnavailable, .internal:
                throw error
            }
        }
    }

    /// Begins anew with the provider's pages, for a viewer whom it does not know by their home. The answer that said so
    /// was taken, and another verifier and nonce are asked for.
    private func askViewer(
        _ view: LoginView, _ exchange: ProviderExchange, now: Timestamp
    ) async throws(EntitlementError) -> LoginView {
        var asking = exchange.context
        asking.isPassive = false
        let context = asking
        let start = try await self.providers.ask(view.mvpd.id, provesLife: false) { provider throws(ProviderError) in
            try await provider.begin(context, now: now)
        }
        var handed = view
        handed.attempt.progress = try self.progress(start, context, of: view)
        // Until then only a viewer who declines changes it.
        guard let attempt = try await self.update(handed.attempt) else { throw EntitlementError(.loginUnknown) }
        handed.attempt = attempt
        return handed
    }
}
