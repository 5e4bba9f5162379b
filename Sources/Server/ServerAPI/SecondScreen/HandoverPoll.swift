import Clientless
import Entitlement
import HTTPServer

/// "Was my box told?" as the page of a finished login asks it, held until it was. Answered from memory.
struct HandoverPoll: Poll {
    private let logins: Logins
    private let token: String
    private let session: BrowserSession
    /// A login of which nothing is known is answered at once, and nothing wakes it.
    let key: WaitingRoom.Key

    init(_ screen: SecondScreen, _ call: Call) {
        let token = call.parameters["attempt"] ?? ""
        self.logins = screen.domain.logins
        self.token = token.utf8.count <= 128 ? token : ""
        self.session = BrowserSession.of(call.request, isSecure: screen.settings.isSecure(call.request))
        self.key = self.logins.handoverKey(of: self.token)
    }

    func lookInMemory(now: Timestamp) -> Handover? {
        self.logins.handover(of: self.token, browser: self.session.identity)
    }

    func look(now: Timestamp) async throws(EntitlementError) -> Handover {
        self.logins.handover(of: self.token, browser: self.session.identity)
    }

    func isPending(_ handover: Handover) -> Bool { handover == .waiting }

    func response(to handover: Handover, now: Timestamp) -> HTTPResponse {
        let word =
            switch handover {
            case .unknown: "unknown"
            case .waiting: "waiting"
            case .told: "ready"
            }
        return HTTPResponse.text(word).setting("Cache-Control", "no-store").setting("X-Content-Type-Options", "nosniff")
    }

    /// The page asks again.
    func response(to error: EntitlementError) -> HTTPResponse {
        HTTPResponse.text("unavailable", status: .serviceUnavailable).setting("Cache-Control", "no-store")
            .setting("Retry-After", "3")
    }
}
