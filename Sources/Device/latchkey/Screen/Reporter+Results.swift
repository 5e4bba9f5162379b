import AccessEnabler
import Clientless
import CommandLineTool

extension Reporter {
    /// The result of a command, in the same words whether the server gave it or the agent.
    func tell(_ news: BoxEvent.News) -> ExitCode {
        switch news {
        case .status(let standing):
            let device = standing.deviceID.map { "\nDevice ID: \($0)" } ?? ""
            return self.result(news, standing.sentence + device, standing.state == .signedIn ? .success : .notSignedIn)
        case .providers(let providers):
            let width = providers.map(\.id.count).max() ?? 0
            let lines = providers.map { provider in
                let gap = String(repeating: " ", count: width - provider.id.count + 2)
                return terminalSafe(provider.id) + gap + terminalSafe(provider.name, limit: 80)
            }
            return self.result(news, lines.joined(separator: "\n"))
        case .mediaToken(_, let token, _): return self.result(news, token)
        case .preauthorized(let decisions):
            let lines = decisions.map { decision in
                (decision.isAuthorized ? "yes  " : "no   ") + terminalSafe(decision.resource)
                    + (decision.message.map { "  (\(terminalSafe($0)))" } ?? "")
            }
            return self.result(
                news, lines.joined(separator: "\n"), decisions.allSatisfy(\.isAuthorized) ? .success : .notAuthorized)
        case .metadata(_, let value):
            return self.result(news, value.string.map { terminalSafe($0, limit: 4096) } ?? value.text)
        case .boxes(let boxes, let hasMore):
            let lines = boxes.map { box in
                "\(box.box)  \(box.title)\(box.isThis ? " (this box)" : ""), \(box.period)"
            }
            return self.result(news, (lines + (hasMore ? ["There are more."] : [])).joined(separator: "\n"))
        default: return .internalError
        }
    }

    /// - Parameter page: the provider's own page, which the viewer signs out on; `nil` without one.
    func endSignOut(_ page: String?, in phrases: BoxPhrases) -> ExitCode {
        self.event(.signedOut(.signedOut, logoutURL: page))
        self.say(phrases.say(.signedOut))
        if let page {
            self.say(phrases.say(.signedOutPage))
            // Of visible ASCII: the library takes no other address.
            self.say("  \(terminalSafe(page, limit: 8192))")
        }
        return .success
    }
}

extension BoxEvent.Standing {
    fileprivate var sentence: String {
        if let signIn = self.signIn {
            let lifetime = signIn.lifetime.map { ", for \($0) more" } ?? ""
            return "Signed in with \(signIn.displayName)\(lifetime)."
        }
        return "Nobody is signed in\(self.reason?.clause.map { ": \($0)" } ?? "")."
            + (self.state == .pairing ? " A code is on show." : "")
    }
}
