import Clientless
import Entitlement
import HTTPServer

extension RequestID {
    /// Six letters to read out to the support, such as `K7M-4XQ`; the log has them beside the whole ID.
    var spoken: String {
        let symbols = RegistrationCodeText.alphabet
        var rest = Int(self.description.suffix(12), radix: 16) ?? 0
        var text = ""
        for place in 0..<6 {
            if place == 3 { text += "-" }
            text.unicodeScalars.append(Unicode.Scalar(symbols[rest % symbols.count]))
            rest /= symbols.count
        }
        return text
    }
}

/// Why a person does not get the page they asked for.
struct Problem: Error, Sendable {
    /// Each names the sentences of its page.
    enum Kind: String, CaseIterable, Sendable {
        case malformed
        /// The code is unknown, used or over, which are one thing to a stranger.
        case code
        /// The form or the login is not of this browser, or too old.
        case session
        case tooManyAttempts = "attempts"
        /// Too many calls or tries come at once, none of which need be wrong.
        case crowded
        case provider
        /// Only an operator can help: the provider's settings, keys or metadata do not fit.
        case misconfigured
        /// The same, by word of the browser.
        case saidMisconfigured
        /// The provider's answer proves nothing.
        case unproven
        /// The viewer turned back at the provider.
        case declined
        /// The provider does not let the viewer in.
        case refused
        case otherBrowser
        /// The login is unknown, or its time is over.
        case loginOver
        /// The provider's answer was taken before.
        case answered
        case missingPage = "missing"
        case method
        /// The store cannot be reached, or the server is stopping.
        case busy
        case trouble

        /// The key of the heading of its page.
        var heading: String { "problem.\(self == .crowded ? "busy" : self.word).title" }
        var explanation: String { "problem.\(self.word).text" }
        private var word: String { self == .saidMisconfigured ? "misconfigured" : self.rawValue }
    }

    /// The one next step that a page of trouble offers.
    enum NextStep: Hashable, Sendable {
        case startAgain
        /// To the picker of a code, which is still good.
        case picker(RegistrationCodeText)
        /// To the page where viewers sign in to see their boxes.
        case boxes
    }

    let kind: Kind
    let retryAfter: Duration?
    let nextStep: NextStep
    /// The provider's words to the viewer.
    let sentence: String?
    /// For operators; never shown.
    let detail: String?

    init(
        _ kind: Kind, retryAfter: Duration? = nil, goingOn nextStep: NextStep = .startAgain, sentence: String? = nil,
        detail: String? = nil
    ) {
        self.kind = kind
        self.retryAfter = retryAfter
        self.nextStep = nextStep
        self.sentence = sentence
        self.detail = detail
    }

    /// The problem of a page whose handler threw `error`: its own, or the domain's.
    init(of error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as EntitlementError: self.init(error)
        default: self.init(.trouble, detail: "\(error)")
        }
    }

    init(_ refusal: ProviderRefusal, goingOn nextStep: NextStep) {
        let kind: Kind =
            switch refusal.kind {
            case .declined: .declined
            case .wrongCredentials, .denied, .needsViewer: .refused
            }
        self.init(kind, goingOn: nextStep, sentence: refusal.sentence)
    }

    init(_ error: EntitlementError, goingOn nextStep: NextStep = .startAgain) {
        switch error.code {
        case .codeUnknown, .codeUsed, .codeDeclined: self.init(.code)
        case .loginUnknown: self.init(.session)
        case .unknownProvider, .unknownRequestor: self.init(.malformed)
        case .tooManyAttempts:
            self.init(
                error.isForEveryone ? .crowded : .tooManyAttempts, retryAfter: error.retryAfter ?? .seconds(60),
                goingOn: nextStep)
        case .providerUnavailable:
            let kind: Kind =
                switch error.providerFault {
                case .misconfigured: .misconfigured
                case .refused: .saidMisconfigured
                case .unproven: .unproven
                case .unreachable, .sessionOver, .failed, nil: .provider
                }
            self.init(kind, goingOn: nextStep, detail: error.debugDescription)
        case .storeUnavailable:
            self.init(.busy, retryAfter: .seconds(5), goingOn: nextStep, detail: error.debugDescription)
        // No page asks what these answer.
        case .notAuthenticated, .authenticationExpired, .authenticationRevoked, .notAuthorized, .authorizationMissing,
            .authorizationExpired, .tooManyResources, .foreignToken, .deviceMismatch, .trialExhausted,
            .passiveNotPossible, .platformRefused, .internal:
            self.init(.trouble, detail: error.debugDescription)
        }
    }

    /// The key of its page's explanation. A viewer on the way to their boxes has neither a code nor a box that waits,
    /// and one who is done has used the code.
    func explanation(isOfBoxes: Bool, isDone: Bool = false) -> String {
        if isDone, [.busy, .crowded].contains(self.kind) { return Kind.trouble.explanation }
        let speaksOfCode = [.declined, .refused, .provider, .busy, .crowded].contains(self.kind)
        return isOfBoxes && speaksOfCode ? PhraseKey.boxesUnchanged.rawValue : self.kind.explanation
    }

    var status: HTTPStatus {
        switch self.kind {
        case .malformed, .code, .saidMisconfigured, .unproven, .loginOver, .answered: .badRequest
        case .session, .declined, .refused, .otherBrowser: .forbidden
        case .tooManyAttempts, .crowded: .tooManyRequests
        case .provider, .misconfigured: .badGateway
        case .missingPage: .notFound
        case .method: .methodNotAllowed
        case .busy: .serviceUnavailable
        case .trouble: .internalServerError
        }
    }

    /// Whether the same page may be there after a while; any other problem needs a new beginning.
    var mayPass: Bool {
        self.kind != .misconfigured && (self.status == .tooManyRequests || self.status.code >= 500)
    }
}
