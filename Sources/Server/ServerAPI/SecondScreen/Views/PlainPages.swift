import Clientless
import Entitlement

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

extension PasskeyPages {
    /// The last page of a login, with the offer of a passkey if there is one. A store that cannot be asked costs the
    /// offer and not the page.
    /// - Parameter problem: why the passkey that the viewer made was not kept.
    func donePage(_ view: LoginView, _ token: String, _ visit: Visit, problem: PhraseKey? = nil) async -> Page {
        let handover = self.screen.domain.logins.handover(of: token, browser: visit.browser.identity)
        let lineUp = await self.screen.domain.logins.lineUp(of: view, now: visit.now)
        let others = lineUp?.others ?? 0
        let (passkey, hasNewPasskey) = await self.offer(for: view, visit)
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
            "overToken": view.mvpd.trial == nil ? self.screen.formToken(.boxes, visit) : .absent,
            "mvpd": .text(view.mvpd.id.text),
            "hasNewPasskey": .flag(hasNewPasskey),
            "passkeyProblem": .phrase(problem.map { Phrase($0) }),
        ]
        return Page("done", of: view.requestor.id, mayBeCompressed: true, own.filled(by: passkey))
    }

    /// The question that makes a passkey, if one is offered, and whether the viewer added one just now.
    private func offer(for view: LoginView, _ visit: Visit) async -> (question: TemplateValues, isKept: Bool) {
        let standing = self.screen.party == nil ? nil : try? await self.passkeys.standing(of: view, now: visit.now)
        return switch standing {
        case .offered(let offer)?: (self.question(offer.challenge, .passkey, visit, offer), false)
        case .kept?: (self.question(nil, .passkey, visit), true)
        case .notOffered?, nil: (self.question(nil, .passkey, visit), false)
        }
    }
}
