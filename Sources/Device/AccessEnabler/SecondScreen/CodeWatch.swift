/// The news of a code so far, from the answers about it.
struct CodeWatch: Sendable {
    enum Conclusion: Sendable {
        case signedIn(NativeSession)
        case over(AccessEnabler.CodeEnd)
        case pending(changed: Bool, news: [AccessEnabler.PairingProgress])
    }

    private var state: AccessEnabler.CodeState?
    private var reason: String?
    private var isOpened = false

    /// Takes note of an answer.
    /// - Parameter left: how long the code was to live still.
    mutating func consider(_ answer: PollAnswer, left: Duration) -> Conclusion {
        switch answer.verdict {
        case .signedIn(let session): return .signedIn(session)
        case .over, .unknown:
            switch answer.state {
            case .declined: return .over(.declined)
            case .cancelled: return .over(.cancelled)
            // Some servers know a code no longer that expired, by a clock of their own.
            case nil where answer.isUnknown && left > .seconds(5): return .over(.lost)
            case .waiting, .loggingIn, .confirming, .completed, .expired, nil: return .over(.expired)
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

extension PollAnswer {
    fileprivate var isUnknown: Bool {
        if case .unknown = self.verdict { true } else { false }
    }
}
