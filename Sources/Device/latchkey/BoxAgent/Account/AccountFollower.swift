import AccessEnabler
import Lifecycle

/// Has the other requestors follow the account of the box: in when it is signed in, out when it is signed out.
struct AccountFollower: Service {
    /// Takes the news of every requestor.
    let note: @Sendable (BoxEvent.News, String?) -> Void
    /// Why the account was signed out; `nil` when it was signed in.
    private let changes: AsyncStream<BoxEvent.Reason?>

    /// - Parameter account: the requestor that the account is signed in for; `nil` for an agent without an account.
    init(of account: String?) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: BoxEvent.Reason?.self, bufferingPolicy: .bufferingNewest(16))
        self.changes = stream
        self.note = { news, requestor in
            guard let account, requestor == account else { return }
            switch news {
            case .approved: continuation.yield(nil)
            // Sign-ins that came from an account that ran out last as long as they would have.
            case .signedOut(let reason, _) where reason != .expired: continuation.yield(reason)
            default: break
            }
        }
    }

    var desks: [Desk] = []

    func run() async {
        await StopSignal.cancelling {
            for await reason in self.changes {
                for desk in self.desks where !Task.isCancelled {
                    if let reason { await desk.leaveAccount(reason) } else { await desk.followAccount(isNews: true) }
                }
            }
        }
    }
}
