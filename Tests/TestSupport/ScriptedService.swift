import Dispatch
import Synchronization

/// A pairing service as far as a box sees one (rest-v1 10 to 18), on a real socket, whose viewer is the test.
package final class ScriptedService: Sendable {
    package struct Behaviour: Sendable {
        /// Honours `Prefer: wait`.
        package var holds = true
        /// Sends `Latchkey-Code-State`.
        package var tellsState = true
        /// Knows `authenticate/{code}`; otherwise 404 whatever happens.
        package var knowsCodeEndpoint = true
        /// Milliseconds since 1970.
        package var codeExpires: Int64 = 4_000_000_000_000
        package var registrationURL: String? = "https://tve.example.net/activate"
        /// Sent as `Date`, where given.
        package var date: String?

        package init() {}
    }

    /// One answer out of turn, for the next request whose path begins like this.
    private struct Exception: Sendable {
        let path: String
        let answer: ScriptedServer.Answer
    }

    private struct State {
        var behaviour: Behaviour
        var codeState = "waiting"
        var reason: String?
        var isSignedIn = false
        var isPermitted = true
        var issued = 0
        var token = 0
        var exceptions: [Exception] = []
        var waiting: [DispatchSemaphore] = []
        var changes = 0
    }

    private let core: Core
    private let server: ScriptedServer
    package var url: String { self.server.url }
    package var requests: [ScriptedServer.Request] { self.server.requests }
    /// Method and path of every request, in order.
    package var calls: [String] { self.requests.map { "\($0.method) \($0.path)" } }
    /// Sends the path of each poll once a change would reach it.
    package let polled: Signal<String>

    package init(_ behaviour: Behaviour = Behaviour()) throws {
        let core = Core(behaviour)
        self.core = core
        self.polled = core.polled
        self.server = try ScriptedServer { core.answer($0) }
    }

    deinit {
        // Held requests have threads; let them go.
        self.core.change { _ in }
    }

    /// The viewer signs in and confirms.
    package func confirm() {
        self.core.change { state in
            state.codeState = "completed"
            state.isSignedIn = true
        }
    }

    package func signIn() { self.core.change { $0.isSignedIn = true } }
    package func signOut() { self.core.change { $0.isSignedIn = false } }
    package func permit(_ isPermitted: Bool) { self.core.change { $0.isPermitted = isPermitted } }

    package func setCodeState(_ state: String, reason: String? = nil) {
        self.core.change {
            $0.codeState = state
            $0.reason = reason
        }
    }

    package func setBehaviour(_ body: @Sendable (inout Behaviour) -> Void) {
        self.core.change { body(&$0.behaviour) }
    }

    /// Answers the next `times` requests below `path` with `answer`.
    package func answer(_ path: String, with answer: ScriptedServer.Answer, times: Int = 1) {
        self.core.change { state in
            for _ in 0..<times { state.exceptions.append(Exception(path: path, answer: answer)) }
        }
    }

    package func dropConnections() { self.server.dropConnections() }

    private final class Core: Sendable {
        private let state: Mutex<State>
        let polled = Signal<String>()

        init(_ behaviour: Behaviour) {
            self.state = Mutex(State(behaviour: behaviour))
        }

        func change(_ body: (inout sending State) -> Void) {
            let waiting = self.state.withLock { state in
                body(&state)
                state.changes += 1
                defer { state.waiting = [] }
                return state.waiting
            }
            for semaphore in waiting { semaphore.signal() }
        }

        func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
            let exception: ScriptedServer.Answer? = self.state.withLock { state in
                guard let index = state.exceptions.firstIndex(where: { request.path.hasPrefix($0.path) }) else {
                    return nil
                }
                return state.exceptions.remove(at: index).answer
            }
            let isPoll = request.path.hasPrefix("/api/v1/authenticate/") || request.path == "/api/v1/tokens/authn"
            if let exception {
                if isPoll { self.polled.send(request.path) }
                return exception
            }
            guard isPoll else { return self.state.withLock { ScriptedService.answerOthers(request, &$0) } }
            let isHeld = self.holdIfAsked(request)
            return self.state.withLock { ScriptedService.pollAnswer(request, $0, isHeld: isHeld) }
        }

        /// Waits for a change, at most half a minute, where the request asks for it and the answer is "not yet".
        private func holdIfAsked(_ request: ScriptedServer.Request) -> Bool {
            let semaphore = DispatchSemaphore(value: 0)
            let (isHeld, isPending) = self.state.withLock { state in
                let isHeld = state.behaviour.holds && request.headers["prefer"]?.hasPrefix("wait=") == true
                let isPending = !state.isSignedIn && ["waiting", "loggingIn", "confirming"].contains(state.codeState)
                if isHeld, isPending { state.waiting.append(semaphore) }
                return (isHeld, isPending)
            }
            // Told only now: a change that follows finds the request waiting.
            self.polled.send(request.path)
            if isHeld, isPending { _ = semaphore.wait(timeout: .now() + .seconds(30)) }
            return isHeld
        }
    }

    private static func pollAnswer(
        _ request: ScriptedServer.Request, _ state: State, isHeld: Bool
    ) -> ScriptedServer.Answer {
        var headers: [String: String] = [:]
        headers["Date"] = state.behaviour.date
        if isHeld { headers["Preference-Applied"] = request.headers["prefer"] }
        let isAboutCode = request.path.hasPrefix("/api/v1/authenticate/")
        if isAboutCode, !state.behaviour.knowsCodeEndpoint { return .response(404) }
        if isAboutCode, state.behaviour.tellsState {
            headers["Latchkey-Code-State"] = state.codeState
            headers["Latchkey-Provider-Reason"] = state.reason
        }
        let isDone = isAboutCode ? state.codeState == "completed" : state.isSignedIn
        guard isDone else { return .response(404, headers: headers, body: #"{"status":404,"message":"Not Found"}"#) }
        return .response(
            200, headers: headers,
            body: #"{"requestor":"NORTHSPORT","mvpd":"CableNova","userId":"c1f0","expires":"1999999999000"}"#)
    }

    private static func answerOthers(
        _ request: ScriptedServer.Request, _ state: inout sending State
    ) -> ScriptedServer.Answer {
        var headers: [String: String] = [:]
        headers["Date"] = state.behaviour.date
        switch (request.method, request.path) {
        case ("POST", "/o/client/register"):
            state.issued += 1
            return .response(
                201, headers: headers,
                body: #"{"client_id":"client-\#(state.issued)","client_secret":"secret-\#(state.issued)"}"#)
        case ("POST", "/o/client/token"):
            state.token += 1
            return .response(
                201, headers: headers, body: #"{"access_token":"token-\#(state.token)","expires_in":21600}"#)
        case ("POST", "/reggie/v1/NORTHSPORT/regcode"):
            let page = state.behaviour.registrationURL.map { #""\#($0)""# } ?? "null"
            state.issued += 1
            let codes = ["7KQ4M2X", "BCDFGHJ", "KLMNPQR", "STVWXZ2"]
            return .response(
                201, headers: headers,
                body: """
                    {"id":"x","code":"\(codes[state.issued % 4])","requestor":"NORTHSPORT","generated":1,\
                    "expires":\(state.behaviour.codeExpires),"info":{"deviceId":"ZA==","registrationURL":\(page)}}
                    """)
        case ("DELETE", _) where request.path.hasPrefix("/reggie/v1/"): return .response(204)
        case ("DELETE", "/api/v1/logout"):
            state.isSignedIn = false
            return .response(204, headers: headers)
        case ("GET", "/api/v1/checkauthn"): return .response(state.isSignedIn ? 200 : 403, headers: headers)
        case ("GET", "/api/v1/authorize"):
            guard state.isSignedIn else {
                return .response(403, body: #"{"status":403,"message":"User not authenticated","details":null}"#)
            }
            guard state.isPermitted else {
                return .response(
                    403,
                    body:
                        #"{"status":403,"message":"User not authorized","details":"Your package lacks this channel."}"#)
            }
            return .response(
                200, body: #"{"mvpd":"CableNova","resource":"r","requestor":"NORTHSPORT","expires":"1999999999000"}"#)
        case ("GET", "/api/v1/tokens/media"):
            return .response(
                200,
                body:
                    #"{"resource":"r","expires":"1999999999000","serializedToken":"PHNpZ25lZD4=","mvpdId":"CableNova"}"#
            )
        case ("GET", "/api/v1/config/NORTHSPORT"):
            return .response(
                200,
                body: """
                    {"requestor":{"id":"NORTHSPORT","mvpds":{"mvpd":[{"id":"CableNova","displayName":"Cable Nova"}]}}}
                    """)
        default: return .response(404)
        }
    }
}
