import Dispatch
import Synchronization

/// An entitlement server as far as a box sees one (SDK services, and rest-v1 10 to 12), on a real socket, whose viewer
/// and operator is the test.
package final class ScriptedService: Sendable {
    package struct Behaviour: Sendable {
        package var requestors: Set<String> = ["NORTHSPORT", "SOUTHSPORT"]
        package var providers: [ScriptedProvider] = [
            ScriptedProvider("CableNova", name: "Cable Nova"), ScriptedProvider("SatOne", name: "Sat One"),
        ]
        /// Members of the requestor's `metadata` in the configuration, as JSON.
        package var requestorMetadata = ""
        /// Honours `Prefer: wait`.
        package var holds = true
        /// Sends `Latchkey-Code-State`.
        package var tellsState = true
        /// Milliseconds since 1970.
        package var codeExpires: Int64 = 4_000_000_000_000
        /// Scheme and host, in upper case, of servers that have short addresses.
        package var shortOrigin: String?
        package var registrationURL: String? = "https://tve.example.net/activate"
        /// Sent as `Date`, where given.
        package var date: String?
        /// What tokens say of their end, in the pattern of rest-v1 22.2.
        package var tokenExpires = "2033/05/18 03:33:19 GMT +0000"
        package var permitExpires = "2033/05/17 03:33:19 GMT +0000"
        /// The resources that are permitted; none permits all.
        package var permitted: Set<String>?
        /// The code and details of refusals.
        package var refusal = (code: "Z100", details: "Your package lacks this channel.")
        /// The payload of access-enabler 13.3.
        package var userMetadata: String? =
            #"{"updated":1334243471,"encrypted":["encryptedZip"],"data":{"zip":["12345","34567"],"maxRating":{"MPAA":"PG-13"},"householdID":"3456","encryptedZip":"bUZ6"}}"#
        /// `POST passive` succeeds.
        package var allowsPassive = true
        /// `POST profile` succeeds.
        package var allowsProfile = true
        /// `POST platform` succeeds.
        package var allowsPlatform = true
        /// TempPass providers that are used up.
        package var exhausted: Set<String> = []
        package var preauthorizationLimit = 5
        /// The answer of `boxes`, as JSON; `nil` is an older server, which has no such call.
        package var boxes: String? = #"""
            {"boxes":[
            {"box":"00112233-445566aa","name":"Living room","model":"HC-100","since":"1767225600000",
             "expires":"2000000000000","this":true},
            {"box":"ffee1122-33445566","name":"Attic","model":"Unknown","since":"1767225600000","seen":"1767312000000",
             "expires":"2000000000000","this":false},
            {"box":"ffdd1122-33445566","name":"Guest\u001b[2J","since":"1767225600000","expires":"2000000000000",
             "this":false}
            ],"more":false}
            """#
        /// The page `POST logout` names, if it names one.
        package var logoutURL: String?

        package init() {}
    }

    /// One answer out of turn, for the next request whose path begins like this.
    struct Exception: Sendable {
        let path: String
        let answer: ScriptedServer.Answer
    }

    struct State {
        var behaviour: Behaviour
        var codeState = "waiting"
        var reason: String?
        /// Sends `Latchkey-Code-Opened`.
        var isOpened = false
        /// The provider of the code's sign-in.
        var signedIn: String?
        var revoked = false
        var ending: String?
        var issued = 0
        var token = 0
        var exceptions: [Exception] = []
        var held: [(path: String, request: HeldRequest)] = []
        /// The next request whose path begins like this waits.
        var gated: [(path: String, gate: Gate)] = []
        var waiting: [DispatchSemaphore] = []
        var watches: [(path: String, look: @Sendable (ScriptedServer.Request) -> Void)] = []
    }

    private let core: Core
    private let server: ScriptedServer
    package var url: String { self.server.url }
    package var requests: [ScriptedServer.Request] { self.server.requests }
    /// Method and path of every request, in order.
    package var calls: [String] { self.requests.map { "\($0.method) \($0.path)" } }
    /// Sends the path of each request once it is being looked at; of a poll, once a change would reach it.
    package let asked: Signal<String>

    package init(_ behaviour: Behaviour = Behaviour()) throws {
        let core = Core(behaviour)
        self.core = core
        self.asked = core.asked
        self.server = try ScriptedServer { core.answer($0) }
    }

    package convenience init(_ change: (inout Behaviour) -> Void) throws {
        var behaviour = Behaviour()
        change(&behaviour)
        try self.init(behaviour)
    }

    deinit {
        // Held requests have threads; let them go.
        self.core.change { _ in }
    }

    /// The viewer signs in with the code, and confirms.
    package func confirm(provider: String = "CableNova") {
        self.core.change { state in
            state.codeState = "completed"
            state.signedIn = provider
        }
    }

    /// From now on every presented token is answered with `<pendingLogout/>`, and this word on how it ended.
    package func revoke(ending: String? = nil) {
        self.core.change {
            $0.revoked = true
            $0.ending = ending
        }
    }

    /// The viewer enters the code.
    package func open() { self.core.change { $0.isOpened = true } }

    package func setCodeState(_ state: String, reason: String? = nil) {
        self.core.change {
            $0.codeState = state
            $0.reason = reason
        }
    }

    @discardableResult
    package func set(_ body: @Sendable (inout Behaviour) -> Void) -> ScriptedService {
        self.core.change { body(&$0.behaviour) }
        return self
    }

    /// Answers the next `times` requests whose path begins with `path` with `answer`.
    package func answer(_ path: String, with answer: ScriptedServer.Answer, times: Int = 1) {
        self.core.change { state in
            for _ in 0..<times { state.exceptions.append(Exception(path: path, answer: answer)) }
        }
    }

    /// Holds the next request whose path begins with `path` back, until the test lets it go.
    package func hold(_ path: String) -> HeldRequest {
        let request = HeldRequest()
        self.core.change { $0.held.append((path, request)) }
        return request
    }

    /// Holds the answer to the next request whose path begins with `path` until `gate` opens.
    package func hold(_ path: String, until gate: Gate) { self.core.change { $0.gated.append((path, gate)) } }

    /// Looks at every request whose path begins with `path`, before it is answered; the answer waits for that.
    package func watch(_ path: String, _ look: @escaping @Sendable (ScriptedServer.Request) -> Void) {
        self.core.change { $0.watches.append((path, look)) }
    }

    /// How many requests went to paths that begin like this.
    package func count(of path: String) -> Int { self.requests.count { $0.path.hasPrefix(path) } }

    /// The last request whose path begins like this.
    package func last(_ path: String) -> ScriptedServer.Request? { self.requests.last { $0.path.hasPrefix(path) } }

    private final class Core: Sendable {
        private let state: Mutex<State>
        let asked = Signal<String>()

        init(_ behaviour: Behaviour) { self.state = Mutex(State(behaviour: behaviour)) }

        func change(_ body: (inout sending State) -> Void) {
            let waiting = self.state.withLock { state in
                body(&state)
                defer { state.waiting = [] }
                return state.waiting
            }
            for semaphore in waiting { semaphore.signal() }
        }

        func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
            let held: HeldRequest? = self.state.withLock { state in
                guard let index = state.held.firstIndex(where: { request.path.hasPrefix($0.path) }) else { return nil }
                return state.held.remove(at: index).request
            }
            held?.wait()
            let gate: Gate? = self.state.withLock { state in
                guard let index = state.gated.firstIndex(where: { request.path.hasPrefix($0.path) }) else { return nil }
                return state.gated.remove(at: index).gate
            }
            if let gate {
                self.asked.send(request.path)
                gate.wait()
            }
            for watch in self.state.withLock({ $0.watches }) where request.path.hasPrefix(watch.path) {
                watch.look(request)
            }
            let exception: ScriptedServer.Answer? = self.state.withLock { state in
                guard let index = state.exceptions.firstIndex(where: { request.path.hasPrefix($0.path) }) else {
                    return nil
                }
                return state.exceptions.remove(at: index).answer
            }
            if let exception {
                self.asked.send(request.path)
                return exception
            }
            let isPoll = request.path.hasSuffix("/session") && request.form["reg_code"] != nil
            guard isPoll else {
                self.asked.send(request.path)
                return self.state.withLock { $0.answer(request) }
            }
            let isHeld = self.holdIfAsked(request)
            return self.state.withLock { $0.pollAnswer(request, isHeld: isHeld) }
        }

        /// Waits for a change, at most half a minute, where the request asks for it and the answer is "not yet".
        private func holdIfAsked(_ request: ScriptedServer.Request) -> Bool {
            let semaphore = DispatchSemaphore(value: 0)
            let (isHeld, isPending) = self.state.withLock { state in
                let isHeld = state.behaviour.holds && request.headers["prefer"]?.hasPrefix("wait=") == true
                let isPending = ["waiting", "loggingIn", "confirming"].contains(state.codeState)
                if isHeld, isPending { state.waiting.append(semaphore) }
                return (isHeld, isPending)
            }
            // Told only now: a change that follows finds the request waiting.
            self.asked.send(request.path)
            if isHeld, isPending { _ = semaphore.wait(timeout: .now() + .seconds(30)) }
            return isHeld
        }
    }
}

extension ScriptedServer.Request {
    /// The query by name, decoded; the last of several.
    package var query: [String: String] { TestSupport.query(of: self.target) }

    /// The form body by name, decoded; the last of several.
    package var form: [String: String] { decodedPairs(self.text) }

    /// Every value of a name in the form body, in order.
    package func values(_ name: String) -> [String] {
        self.text.split(separator: "&").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && decoded(String(parts[0])) == name ? decoded(String(parts[1])) : nil
        }
    }
}

/// The query of a URL or a request target by name, decoded; the last of several.
package func query(of url: String) -> [String: String] {
    guard let mark = url.firstIndex(of: "?") else { return [:] }
    return decodedPairs(String(url[url.index(after: mark)...]))
}

package func decodedPairs(_ text: String) -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in text.split(separator: "&") {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        pairs[decoded(String(parts[0]))] = parts.count == 2 ? decoded(String(parts[1])) : ""
    }
    return pairs
}

private func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), rest.count >= 2,
            let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        {
            bytes.append(value)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
