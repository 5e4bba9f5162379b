import Clientless

/// What a sign-in under way has learnt from the answers so far, and which question it asks.
struct Waiting: Sendable {
    enum Question: Sendable {
        /// `authenticate/{code}`: about this code, and no other sign-in is mistaken for it.
        case code
        /// `tokens/authn`: about the device, for servers that do not answer the first usefully.
        case device
    }

    enum Conclusion: Sendable {
        case end(PairingEnd)
        case pending(changed: Bool, news: [PairingProgress])
    }

    let code: RegistrationCode
    /// The sign-in there was before, which is not the one waited for.
    private let before: Authentication?
    private(set) var question = Question.code
    private var state: CodeState?
    private var reason: String?

    init(code: RegistrationCode, before: Authentication?) {
        self.code = code
        self.before = before
    }

    /// Takes note of an answer.
    /// - Parameter askedFor: whether the server was asked to hold the question.
    mutating func consider(_ answer: PollAnswer, askedFor: Bool) -> Conclusion {
        if case .signedIn(let account) = answer.verdict, self.question == .code || account != self.before {
            return .end(.signedIn(account))
        }
        switch answer.state {
        case .declined: return .end(.declined)
        case .cancelled: return .end(.cancelled)
        case .expired: return .end(.expired)
        case .completed:
            if case .gone = answer.verdict { return .end(.expired) }
        case .waiting, .loggingIn, .confirming: break
        case nil:
            // A server that told the state and does no more has lost the code, as after a restore from a backup.
            if self.state != nil { return .end(.cancelled) }
            if case .gone = answer.verdict, self.question == .code { return .end(.expired) }
            // Neither extension: `authenticate/{code}` is undocumented and may not be there (rest-v1 13.5).
            if askedFor, !answer.isHeld { self.question = .device }
        }
        var news: [PairingProgress] = []
        let changed = answer.state != self.state
        if changed, self.state != nil, let state = answer.state { news.append(.state(state)) }
        if let reason = answer.providerReason, reason != self.reason { news.append(.providerRefused(reason)) }
        self.reason = answer.providerReason
        self.state = answer.state
        return .pending(changed: changed, news: news)
    }
}
