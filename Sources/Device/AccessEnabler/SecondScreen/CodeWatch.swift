/// The news of a code so far, from the answers about it.
struct CodeWatch: Sendable {
    enum Conclusion: Sendable {
        case end(CodePolling.End)
        case pending(changed: Bool, news: [AccessEnabler.PairingProgress])
    }

    private var state: AccessEnabler.CodeState?
    private var reason: String?
    private var isOpened = false

    /// Takes note of an answer.
    /// - Parameter left: how long the code was to live still.
    mutating func consider(_ answer: PollAnswer, left: Duration) -> Conclusion {
        switch answer.verdict {
        case .signedIn(let session): return .end(.signedIn(session))
        case .over(let isUnknown):
            switch answer.state {
            case .declined: return .end(.over(.declined))
            case .cancelled: return .end(.over(.cancelled))
            // Some servers know a code no longer that expired, by a clock of their own.
            case nil where isUnknown && left > .seconds(5): return .end(.over(.lost))
            case .waiting, .loggingIn, .confirming, .completed, .expired, nil: return .end(.over(.expired))
            }
        case .notYet: break
        }
        var news: [AccessEnabler.PairingProgress] = []
        let isNewlyOpened = answer.isOpened && !self.isOpened
        if isNewlyOpened { news.append(.pageOpened) }
        self.isOpened = self.isOpened || answer.isOpened
        let changed = answer.state != self.state || isNewlyOpened
        if answer.state != self.state, self.state != nil, let state = answer.state { news.append(.state(state)) }
        if let reason = answer.providerReason, reason != self.reason { news.append(.providerRefused(reason)) }
        self.reason = answer.providerReason
        self.state = answer.state
        return .pending(changed: changed, news: news)
    }
}
