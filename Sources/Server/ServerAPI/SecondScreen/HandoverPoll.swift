import Clientless
import Entitlement
import HTTPServer

/// "Was my box told?" as the page of a finished login asks it, held until it was. Answered from memory alone.
struct HandoverPoll: Poll {
    private let logins: Logins
    private let token: String
    private let session: BrowserSession
    /// The code of the login, which wakes the page together with the box. A login of which nothing is known is answered
    /// at once, and nothing wakes it.
    let key: WaitingRoom.Key

    init(_ screen: SecondScreen, _ call: Call) {
        let token = call.parameters["attempt"] ?? ""
        self.logins = screen.domain.logins
        self.token = token.utf8.count <= 128 ? token : ""
        self.session = BrowserSession.of(call.request, isSecure: screen.settings.isSecure(call.request))
        let known = self.logins.handover(of: self.token, browser: self.session.secret)
        self.key = known.map { .code($0.code) } ?? .device(DeviceHash(bytes: []))
    }

    func lookInMemory(now: Timestamp) -> Handover? {
        self.logins.handover(of: self.token, browser: self.session.secret)?.standing ?? .unknown
    }

    func look(now: Timestamp) async throws(EntitlementError) -> Handover {
        self.lookInMemory(now: now) ?? .unknown
    }

    func isPending(_ handover: Handover) -> Bool { handover == .waiting }

    func response(to handover: Handover, now: Timestamp) -> HTTPResponse {
        let word =
            switch handover {
            case .unknown: "unknown"
            case .waiting: "waiting"
            case .told: "ready"
            }
        return HTTPResponse.text(word).setting("Cache-Control", "no-store").setting(
            "X-Content-Type-Options", "nosniff")
    }

    func response(to error: EntitlementError) -> HTTPResponse {
        HTTPResponse.text("unknown").setting("Cache-Control", "no-store")
    }
}
