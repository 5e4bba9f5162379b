import Clientless

/// Asks about one code until it was used or is over (access-enabler 9.3), one question after the other.
///
/// How long the code lives is counted without the time of day, which the network may set meanwhile. The server is asked
/// once more at the end, since its clock decides, and the viewer may have finished in the last pause (D-59).
struct CodePolling: Sendable {
    enum End: Sendable {
        case signedIn(NativeSession)
        case over(AccessEnabler.CodeEnd)
        /// Asking again is no use.
        case failed(EntitlementError)
        /// No caller awaits the code any more.
        case stopped
    }

    private static let last = PollingSchedule.Poll(pause: .zero, hold: nil, timeout: .seconds(10))

    let server: ServerCall
    let code: AccessEnabler.RegistrationCode
    let interval: Duration
    let clock: any BoxClock
    let randomness: any Randomness

    /// - Parameter tell: hands news on; returns `false` when the attempt is over.
    func run(_ tell: @Sendable (Finding) async -> Bool) async -> End {
        let (begun, start) = (self.clock.uptime, self.server.service.clock.now)
        func now() -> Timestamp { start + (self.clock.uptime - begun) }
        var watch = CodeWatch()
        var schedule = PollingSchedule(interval: self.interval, expires: self.code.expiresAt)
        var step = schedule.begin(at: start)
        var isCutOff = false
        while true {
            if let step, (try? await self.clock.sleep(for: step.pause)) == nil { return .stopped }
            let isLast = now() >= self.code.expiresAt
            let poll = isLast ? Self.last : step ?? Self.last
            let asked = ContinuousClock.now
            var news: [AccessEnabler.PairingProgress] = []
            let answer: PollingSchedule.Answer
            do {
                let found = try await self.server.session(self.code.code, poll)
                switch watch.consider(found, left: self.code.expiresAt - now()) {
                case .end(let end): return end
                case .pending(let changed, let told):
                    if isCutOff { news.append(.connectionRestored) }
                    isCutOff = false
                    news += told
                    answer = .pending(heldFor: found.isHeld ? ContinuousClock.now - asked : nil, changed: changed)
                }
            } catch {
                guard !Task.isCancelled else { return .stopped }
                guard let failure = error.whilePolling(heldFor: poll.hold.map { _ in ContinuousClock.now - asked })
                else { return .failed(error) }
                answer = failure
                if !isCutOff, schedule.isProblem(after: failure) {
                    isCutOff = true
                    news.append(.connectionProblem(error))
                }
            }
            step = schedule.next(after: answer, at: now(), jitter: self.randomness.unit)
            var finding = Finding(nil)
            finding.progress = news
            guard await tell(finding) else { return .stopped }
            if isLast { return .over(.expired) }
        }
    }
}

extension PollingSchedule {
    /// Two failures in a row are worth telling (rest-v1 28.3); of questions that were held for a while, three: something on
    /// the way, such as a proxy, may end those.
    fileprivate func isProblem(after answer: Answer) -> Bool {
        switch answer {
        case .cut(let after) where after >= Self.shortestHold: self.failures >= 2
        case .failed, .cut: self.failures >= 1
        case .pending, .throttled: false
        }
    }
}

extension EntitlementError {
    /// The answer that stands for the failure of one question; `nil` when asking again is no use: the certificate is
    /// not trusted, or the server names a reason to refuse.
    /// - Parameter heldFor: how long the server had the question, where it was asked to hold it.
    fileprivate func whilePolling(heldFor: Duration?) -> PollingSchedule.Answer? {
        let failed = heldFor.map { PollingSchedule.Answer.cut(after: $0) } ?? .failed
        switch self.code {
        case .throttled: return .throttled(retryAfter: self.retryAfter)
        case .unreachable, .serverFault, .malformedAnswer, .state, .cancelled: return failed
        // A token endpoint that is down, and not one that refuses.
        case .noAccessToken where (self.status ?? 500) >= 500 || self.status == 200: return failed
        default: return nil
        }
    }
}
