import Clientless
import Entitlement
import HTTPServer

extension Page {
    /// Says what this service is, to a visitor without a code.
    static let landing = Page("landing", mayBeCompressed: true)

    /// The viewer said no, and the box was told.
    static let declined = Page("declined", mayBeCompressed: true)

    /// The meaning of each code and action of an error, where `helpUrl` leads (rest-v1 8.3). It is for programmers; the
    /// explanations are in English, as the messages of errors are.
    static let errorCodes = Page(
        "error-codes", mayBeCompressed: true,
        [
            "actions": .list(ErrorAction.allCases) { ["name": .text($0.rawValue), "advice": .text($0.advice)] },
            "codes": .list(ErrorCode.allCases) { code in
                [
                    "name": .text(code.rawValue), "explanation": .text(code.explanation),
                    "action": .text(code.action.rawValue),
                ]
            },
        ])
}

extension SecondScreen {
    /// The last page of a login, with the offer of a passkey if there is one. A store that cannot be asked costs the
    /// offer and not the page.
    /// - Parameter problem: why the passkey that the viewer made was not kept.
    func donePage(_ view: LoginView, _ token: String, _ visit: Visit, problem: PhraseKey? = nil) async -> Page {
        let handover = self.domain.logins.handover(of: token, browser: visit.browser.identity)
        let lineUp = await self.domain.logins.lineUp(of: view, now: visit.now)
        let others = lineUp?.others ?? 0
        let (passkey, hasNewPasskey) = await self.passkeyOffer(for: view, visit)
        let own: TemplateValues = [
            "brand": .foreign(ForeignText(view.requestor.name)),
            "provider": .foreign(ForeignText(view.mvpd.displayName)),
            "isReady": .flag(handover == .told),
            "hasEverything": .flag(lineUp?.hasEverything == true),
            "channels": .list(lineUp?.names ?? []) { ["channel": .foreign(ForeignText($0, limit: 60))] },
            "others": others > 0 ? .phrase(Phrase(.otherChannels, ["count": .number(others)])) : .absent,
            "hasNothing": .flag(lineUp?.isEmpty == true),
            "answerPath": handover == .waiting ? .text(ScreenPath.answer(token)) : .absent,
            "attempt": .text(token),
            // A trial keeps no viewer that the browser could forget.
            "overToken": view.mvpd.trial == nil ? self.formToken(.boxes, visit) : .absent,
            "mvpd": .text(view.mvpd.id.text),
            "hasNewPasskey": .flag(hasNewPasskey),
            "passkeyProblem": .phrase(problem.map { Phrase($0) }),
        ]
        return Page("done", of: view.requestor.id, mayBeCompressed: true, own.filled(by: passkey))
    }

    /// The question that makes a passkey, if one is offered, and whether the viewer added one just now.
    private func passkeyOffer(for view: LoginView, _ visit: Visit) async -> (question: TemplateValues, isKept: Bool) {
        let standing = self.party == nil ? nil : try? await self.domain.passkeys.standing(of: view, now: visit.now)
        return switch standing {
        case .offered(let offer)?: (self.passkeyQuestion(offer.challenge, .passkey, visit, offer), false)
        case .kept?: (self.passkeyQuestion(nil, .passkey, visit), true)
        case .notOffered?, nil: (self.passkeyQuestion(nil, .passkey, visit), false)
        }
    }
}

extension SecondScreen {
    /// Asks for the code on the TV.
    /// - Parameter text: in the field already, typed wrongly.
    func codePage(_ visit: Visit, filledWith text: String, problem: PhraseKey?) -> Page {
        // A text that reads as a code is shown as the TV shows it; anything else as it was typed, to be corrected.
        let shown = RegistrationCodeText(text)?.grouped ?? text
        return Page(
            "code", mayBeCompressed: true,
            [
                "step": .number(1),
                // How long a code is that can be checked as it is typed.
                "length": .text(String(self.domain.codes.longestOpenCode)),
                "code": .foreign(ForeignText(shown, limit: 32)),
                "problem": .phrase(problem.map { Phrase($0) }),
                "formToken": self.formToken(.code, visit),
            ])
    }
}

extension SecondScreen {
    /// The sign-in of a provider whose accounts are this server's own, with the name of the account that the browser
    /// keeps.
    func signInPage(_ view: LoginView, _ token: String, _ visit: Visit) -> Page {
        let known = RememberedAccount.of(visit.request, isSecure: visit.isSecure).flatMap {
            // A name that cannot be shown as it is would be sent as another.
            $0.mvpd == view.mvpd.id && ForeignText($0.account)?.text == $0.account ? $0.account : nil
        }
        let brand = view.attempt.origin == .boxList ? nil : view.requestor.id
        let logo = self.settings.logos.picture(of: view.mvpd.id, for: view.requestor.id)
        let own: TemplateValues = [
            "step": .number(3),
            "isForBoxes": .flag(brand == nil),
            "remembers": .flag(known != nil),
            "codeWord": .html(CodeWord.html(view.record.code)),
            "brand": .foreign(ForeignText(view.requestor.name)),
            "provider": .foreign(ForeignText(view.mvpd.displayName)),
            "attempt": .text(token),
            "account": .text(known ?? ""),
            "problem": .absent,
            "formToken": self.formToken(.signIn, visit),
            "declineToken": self.formToken(.decline, visit),
        ]
        let challenge = self.party == nil ? nil : self.domain.passkeys.challenge(for: view)
        let passkey = self.passkeyQuestion(challenge, .passkeySignIn, visit)
        return Page(
            "sign-in", of: brand, mayBeCompressed: true,
            ProviderMark.values(of: view.mvpd, logo).filled(by: own).filled(by: passkey))
    }
}

extension Page {
    /// Leads on to the provider, on the way to a sign-in: by itself, and with a button if that does not work.
    static func handOver(_ view: LoginView, to address: String, _ form: ProviderForm?) -> Page {
        self.handOver(
            to: address, view.mvpd.displayName, brand: view.requestor.name, form,
            isForBoxes: view.attempt.origin == .boxList)
    }

    /// Leads back to a provider that ended the viewer's session, or from one.
    /// - Parameter name: what viewers call where it leads.
    static func handOver(answering name: String, _ form: ProviderForm) -> Page {
        self.handOver(to: form.address, name, brand: nil, form, isForBoxes: false)
    }

    /// The page holds secrets of the login beside text that the provider, or an impostor, sent along.
    /// - Parameters:
    ///   - brand: `nil` for the answer to a logout.
    ///   - isForBoxes: on the way to the viewer's list of boxes.
    private static func handOver(
        to address: String, _ provider: String, brand: String?, _ form: ProviderForm?, isForBoxes: Bool
    ) -> Page {
        Page(
            "hand-over", mayBeCompressed: false,
            [
                "step": .number(3),
                "isLogin": .flag(brand != nil),
                "isForBoxes": .flag(isForBoxes),
                "brand": .foreign(ForeignText(brand ?? "")),
                "provider": .foreign(ForeignText(provider)),
                "address": .text(address),
                // Clients that read pages send the first form, with all hidden fields (rest-v1 13.3).
                "offersLanguages": .flag(form == nil),
                "isForm": .flag(form != nil),
                "fields": .list(form?.fields ?? []) { ["name": .text($0.name), "value": .text($0.value)] },
            ])
    }
}

extension Page {
    /// The failure in words, and the way out.
    /// - Parameters:
    ///   - reference: names the request in the server's log.
    ///   - place: the viewer's page.
    static func problem(_ problem: Problem, reference: RequestID, _ place: PagePlace) -> Page {
        let (address, label): (String, PhraseKey) =
            switch problem.nextStep {
            case .startAgain where problem.mayPass: (place.address, .tryAgain)
            case .startAgain: (ScreenPath.activate, .startAgain)
            case .picker(let code): (ScreenPath.provider(of: code), .choosePicker)
            case .boxes: (ScreenPath.boxes, .choosePicker)
            }
        let isOfBoxes = problem.nextStep == .boxes || place.isOfBoxes
        return Page(
            "problem", mayBeCompressed: true,
            [
                "heading": .phrase(Phrase(key: problem.kind.heading)),
                "explanation": .phrase(Phrase(key: problem.explanation(isOfBoxes: isOfBoxes, isDone: place.isDone))),
                "retry": .phrase(problem.kind == .tooManyAttempts ? problem.retryAfter.map(WaitingTime.phrase) : nil),
                "sentence": .foreign(problem.sentence.flatMap { ForeignText($0, limit: 300) }),
                "next": .text(address),
                "action": .phrase(Phrase(label)),
                "reference": problem.detail == nil ? .absent : .html(.leftToRight(reference.spoken)),
            ])
    }
}
