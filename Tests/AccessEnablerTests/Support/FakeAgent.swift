import Clientless
import Cryptography
import FoundationEssentials
import HTTPClient
import Synchronization

@testable import AccessEnabler

/// The agent of a box as one application meets it, without a socket. Several share the stores of one box.
final class FakeAgent: AccessEnabler.Transport {
    /// The stores of the vendor groups, by name.
    final class Stores: Sendable {
        fileprivate let contents = Mutex<[String: [UInt8]]>([:])
        fileprivate let aside = Mutex<[String: [UInt8]]>([:])

        func content(of group: String) -> [UInt8]? { self.contents.withLock { $0[group] } }
        func set(_ content: [UInt8]?, of group: String) { self.contents.withLock { $0[group] = content } }
        /// What was put aside, by `damaged` or `schema-N`.
        var setAside: [String: [UInt8]] { self.aside.withLock { $0 } }
    }

    struct Behaviour: Sendable {
        /// What the operator of the box decided for the application.
        var permission = "granted"
        /// The groups that the application is in.
        var groups: Set<String> = ["vendor"]
        /// Why there is no answer; `nil` when there is one.
        var fault: HTTPClientError.Code?
        /// Runs before each replacement, in place of another application.
        var beforeReplacement: (@Sendable () -> Void)?
    }

    let stores: Stores
    private let behaviour: Mutex<Behaviour>
    private let calls = Mutex<[String]>([])

    init(_ stores: Stores = Stores(), _ behaviour: Behaviour = Behaviour()) {
        self.stores = stores
        self.behaviour = Mutex(behaviour)
    }

    func set(_ change: (inout Behaviour) -> Void) { self.behaviour.withLock { change(&$0) } }

    /// Method, path and status of every call so far.
    var log: [String] { self.calls.withLock { $0 } }

    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        let behaviour = self.behaviour.withLock { $0 }
        if let fault = behaviour.fault { throw HTTPClientError(fault) }
        let path = String(request.url.dropFirst("http://localhost".count))
        let response = self.answer(request, path, behaviour)
        self.calls.withLock { $0.append("\(request.method.rawValue) \(path) \(response.status)") }
        return response
    }

    private func answer(
        _ request: HTTPClient.Request, _ path: String, _ behaviour: Behaviour
    ) -> HTTPClient.Response {
        if path == "/v1/permission" { return Self.json(202, #"{"permission":"\#(behaviour.permission)"}"#) }
        guard behaviour.permission == "granted" else {
            return Self.json(403, #"{"error":"permission_\#(behaviour.permission)","message":"No permission."}"#)
        }
        let names = behaviour.groups.sorted().map { "\"\($0)\"" }.joined(separator: ",")
        if path == "/v1/vendor-groups" { return Self.json(200, #"{"groups":[\#(names)]}"#) }
        let parts = path.dropFirst().split(separator: "/").map(String.init)
        guard parts.count > 3, behaviour.groups.contains(parts[2]) else {
            return Self.json(404, #"{"error":"not_found","message":"No such group."}"#)
        }
        if parts[3] == "set-aside" {
            guard let bytes = self.stores.setAside["schema-\(parts[4])"] else { return Self.json(404, "{}") }
            return HTTPClient.Response(status: 200, headers: ["ETag": Self.tag(bytes)], body: bytes)
        }
        return self.answer(request, former: parts[3].split(separator: "=").dropFirst().first, parts[2], behaviour)
    }

    private func answer(
        _ request: HTTPClient.Request, former: Substring?, _ group: String, _ behaviour: Behaviour
    ) -> HTTPClient.Response {
        switch request.method {
        case .get:
            let content = self.stores.content(of: group)
            let tag = Self.tag(content)
            let status = request.headers["If-None-Match"] == tag ? 304 : content == nil ? 204 : 200
            return HTTPClient.Response(
                status: status, headers: ["ETag": tag], body: status == 200 ? content ?? [] : [])
        case .delete:
            let content = self.stores.content(of: group)
            self.stores.set(nil, of: group)
            self.stores.aside.withLock { $0["damaged"] = content }
            return Self.json(200, #"{"version":"0","setAside":"aside"}"#)
        case .put:
            behaviour.beforeReplacement?()
            let new = request.body ?? []
            let replaced = self.stores.contents.withLock { contents -> (former: [UInt8]?, isCurrent: Bool) in
                guard Self.tag(contents[group]) == request.headers["If-Match"] else { return (nil, false) }
                defer { contents[group] = new }
                return (contents[group], true)
            }
            guard replaced.isCurrent else { return Self.json(412, #"{"error":"changed_meanwhile"}"#) }
            guard let former, let bytes = replaced.former else { return Self.json(200, "{}", tag: Self.tag(new)) }
            self.stores.aside.withLock { $0[String(former)] = bytes }
            return Self.json(200, #"{"setAside":"aside"}"#, tag: Self.tag(new))
        case .head, .post, .options: return Self.json(405, "{}")
        }
    }

    private static func json(_ status: Int, _ text: String, tag: String? = nil) -> HTTPClient.Response {
        var headers: HTTPClient.Headers = ["Content-Type": "application/json"]
        headers["ETag"] = tag
        return HTTPClient.Response(status: status, headers: headers, body: Array(text.utf8))
    }

    private static func tag(_ content: [UInt8]?) -> String {
        "\"\(content.map { Hex.encode(Digest.sha256($0).prefix(16)) } ?? "0")\""
    }
}
