import AccessEnabler
import Clientless

/// A pairing on its way: the code on show, and how far the viewer has got.
struct PairingRecord: Sendable {
    /// How often a code that no viewer opened is followed by another: half an hour each, some hours in all.
    static let renewalLimit = 7

    /// The action when the library has ended the login.
    enum Conclusion: Hashable, Sendable {
        case approved, renew, declined, cancelled, expired, failed
    }

    struct Shown: Hashable, Sendable {
        var code: BoxEvent.IssuedCode
        /// Counts down, whatever happens to the clocks.
        var live: AccessEnabler.RegistrationCode
        var issued: Timestamp
        var isOpened = false
    }

    private(set) var shown: Shown?
    private var end: AccessEnabler.CodeEnd?
    private var renewals = 0
    /// The application let go of it.
    var isCancelled = false

    /// The news for callers.
    /// - Parameter server: its address, for the sentence about a problem on the way to it.
    mutating func note(
        _ progress: AccessEnabler.PairingProgress, at now: Timestamp, server: String
    ) -> [BoxEvent.News] {
        switch progress {
        case .code(let code, _, let isResumed):
            // Shown before the network was up, and now by the library, which has learnt the server's clock since.
            if let former = self.shown?.live, former.code == code.code {
                self.shown?.live = code
                let change = (code.timeLeft - former.timeLeft).components.seconds
                return abs(change) > 5 ? [.codeIssued(code.issued(isResumed: isResumed))] : []
            }
            let issued = code.issued(isResumed: isResumed)
            self.shown = Shown(code: issued, live: code, issued: now)
            self.end = nil
            return [.codeIssued(issued)]
        case .pageOpened: return self.opened(.pageOpened)
        // Not every server says before that the page was opened.
        case .state(.loggingIn): return self.opened(.signingIn)
        case .state(.confirming): return self.opened(.confirming)
        case .state(.waiting): return [.pageLeft]
        case .state(.completed), .state(.declined), .state(.cancelled), .state(.expired): return []
        case .providerRefused(let words): return [.providerRefused(message: words)]
        case .connectionProblem(let error):
            if error.code == .throttled, let pause = error.retryAfter {
                return [.slowDown(retryAfter: pause.components.seconds)]
            }
            return [.unreachable(message: AgentError(error, server: server).message)]
        case .connectionRestored: return [.reachable]
        case .ended(let end):
            self.end = end
            return []
        }
    }

    private mutating func opened(_ news: BoxEvent.News) -> [BoxEvent.News] {
        self.shown?.isOpened = true
        return [news]
    }

    /// - Parameter isSignedIn: how the login ended.
    mutating func conclude(isSignedIn: Bool) -> Conclusion {
        if isSignedIn { return .approved }
        if self.isCancelled { return .cancelled }
        switch self.end {
        case .declined: return .declined
        case .cancelled: return .cancelled
        // A viewer who has begun is not shown another code behind their back.
        case .expired where self.shown?.isOpened != false: return .expired
        case .expired, .lost:
            guard self.renewals < Self.renewalLimit else { return .expired }
            self.renewals += 1
            return .renew
        case nil: return .failed
        }
    }
}
