import Clientless
import Entitlement

/// Says what this service is, to a visitor without a code.
struct LandingPage: Page {
    static let template = "landing"
    var mayBeCompressed: Bool { true }

    var values: TemplateValues { [:] }
}

/// The viewer said no, and the box was told.
struct DeclinedPage: Page {
    static let template = "declined"
    var mayBeCompressed: Bool { true }

    var values: TemplateValues { [:] }
}

/// The meaning of each code and action of an error, where `helpUrl` leads (rest-v1 8.3). It is for programmers; the explanations
/// are in English, as the messages of errors are.
struct ErrorCodesPage: Page {
    static let template = "error-codes"
    var mayBeCompressed: Bool { true }

    var values: TemplateValues {
        [
            "actions": .list(
                ErrorAction.allCases.map { ["name": .text($0.rawValue), "advice": .text($0.advice)] }),
            "codes": .list(
                ErrorCode.allCases.map { code in
                    [
                        "name": .text(code.rawValue), "explanation": .text(code.explanation),
                        "action": .text(code.action.rawValue),
                    ]
                }),
        ]
    }
}

/// The box is signed in.
struct DonePage: Page {
    static let template = "done"
    var mayBeCompressed: Bool { true }

    let view: LoginView
    /// Whether the box was told.
    let handover: Handover
    /// The channels of the account; `nil` if they are not known.
    let lineUp: LineUpNames?
    let token: String
    /// Of the form that makes the browser forget its viewer; `nil` if it keeps none.
    var overToken: String?
    /// The question that makes a passkey; `nil` when none is offered.
    var passkey: PasskeyQuestion?
    /// Whether the viewer added one just now.
    var hasNewPasskey = false
    /// Why the one that the viewer made was not kept.
    var passkeyProblem: PhraseKey?

    var ownBrand: RequestorID? { self.view.requestor.id }

    var values: TemplateValues {
        let names = self.lineUp?.names ?? []
        let channels: [TemplateValues] = names.map { ["channel": .foreign(ForeignText($0, limit: 60))] }
        let others = self.lineUp?.others ?? 0
        let own: TemplateValues = [
            "brand": .foreign(ForeignText(self.view.requestor.name)),
            "provider": .foreign(ForeignText(self.view.mvpd.displayName)),
            "isReady": .flag(self.handover == .told),
            "hasEverything": .flag(self.lineUp?.hasEverything == true),
            "channels": .list(channels),
            "others": others > 0 ? .phrase(Phrase(.otherChannels, ["count": .number(others)])) : .absent,
            "hasNothing": .flag(self.lineUp?.isEmpty == true),
            "answerPath": self.handover == .waiting ? .text(ScreenPath.answer(self.token)) : .absent,
            "attempt": .text(self.token),
            "overToken": .optional(self.overToken),
            "mvpd": .text(self.view.mvpd.id.text),
            "hasNewPasskey": .flag(self.hasNewPasskey),
            "passkeyProblem": .phrase(self.passkeyProblem.map { Phrase($0) }),
        ]
        return own.filled(by: PasskeyQuestion.values(of: self.passkey))
    }
}
