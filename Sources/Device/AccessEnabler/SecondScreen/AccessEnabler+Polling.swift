import POSIX

// Waiting for the second screen (access-enabler 9.3): the library's part beside ``CodePolling``.
extension AccessEnabler {
    /// How to ask about the code of an attempt; `nil` when it has no code, or the box has no identity to ask with.
    func polling(_ step: LoginEffect) async -> CodePolling? {
        guard let code = step.carried.code,
            let server = try? await self.server(about: step.carried.provider, step.configuration)
        else { return nil }
        return CodePolling(
            server: server, code: code, interval: self.settings.pollInterval, clock: self.settings.clock,
            randomness: self.settings.randomness)
    }

    func finding(of end: CodePolling.End, _ step: LoginEffect) async -> Finding? {
        switch end {
        case .signedIn(let session): return Finding(.token) { $0.session = session }
        case .over(let end):
            let code = step.carried.code?.code
            _ = try? await self.vault.update { if $0.code?.code == code { $0.code = nil } }
            var finding = Finding(failed: nil, reporting: AdvancedStatus("N130", .error))
            finding.progress = [.ended(end)]
            return finding
        case .failed(let error): return Finding(failed: error)
        case .stopped: return Finding(failed: nil)
        }
    }
}

/// Gives memory back once the first question is on its way, and after those that follow, until the task is cancelled.
func staySmall() async {
    var pause = Duration.milliseconds(250)
    while (try? await Task.sleep(for: pause)) != nil {
        ThisProcess.releaseCode()
        pause = .seconds(60)
    }
}
