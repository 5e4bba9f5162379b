import Clientless
import FoundationEssentials
import HTTPClient
import TextCoding

/// The calls about a vendor group's store on the agent's socket.
struct VendorGroupLink: Sendable {
    typealias Failure = AccessEnabler.TokenStoreError

    /// What the agent says to the question for a content.
    enum Content: Sendable {
        case same
        case other([UInt8]?, tag: String)
    }

    static let unreadable = Failure("the agent of the box answers what cannot be understood")

    /// As much as the agent keeps, and a little more for failures.
    private static let contentLimit = (4 << 20) + 4096
    /// Bytes of an entity tag.
    private static let tagLimit = 128

    let group: String
    private let path: String
    private let socketPath: String
    private let transport: any AccessEnabler.Transport

    init(_ group: String, socketPath: String, transport: any AccessEnabler.Transport) {
        self.group = group
        self.path = "/v1/vendor-groups/\(PercentCoding.encoded(group))"
        self.socketPath = socketPath
        self.transport = transport
    }

    /// Whether the agent keeps the store of the group for this application. Asks for a permission where none is decided.
    /// - Throws: when there is an agent that does not answer; no socket, or one without an agent, is an answer.
    func isMember() async throws(Failure) -> Bool {
        let answer: HTTPClient.Response
        do throws(HTTPClientError) {
            answer = try await self.send(.get, "/v1/vendor-groups")
        } catch {
            guard error.code == .unreachable else { throw self.failure(error) }
            return false
        }
        switch answer.status {
        case 200:
            guard let groups = Self.json(answer)["groups"]?.array else { throw Self.unreadable }
            return groups.contains { $0.string == self.group }
        case 403:
            // The operator hears of it; the application need not wait.
            if Self.json(answer)["error"]?.string == "permission_undetermined" {
                _ = try? await self.send(.post, "/v1/permission")
            }
            return false
        // An agent of before.
        case 404: return false
        default: throw Self.failure(answer)
        }
    }

    /// - Parameter tag: of the content that is known; `nil` for none.
    func content(knowing tag: String?) async throws(Failure) -> Content {
        let answer = try await self.ask(.get, "\(self.path)/store", tag.map { ["If-None-Match": $0] } ?? [:])
        switch answer.status {
        case 200: return .other(answer.body, tag: try Self.tag(answer))
        case 204: return .other(nil, tag: try Self.tag(answer))
        case 304: return .same
        default: throw Self.failure(answer)
        }
    }

    /// - Returns: `nil` when the content is not the known one any more.
    func replace(
        with content: [UInt8], former: AccessEnabler.TokenStoreChange.Former, knowing tag: String
    ) async throws(Failure) -> (tag: String, setAside: String?)? {
        let query =
            switch former {
            case .dropped: ""
            case .damaged: "?former=damaged"
            case .schema(let number): "?former=schema-\(number)"
            }
        let answer = try await self.ask(.put, "\(self.path)/store\(query)", ["If-Match": tag], content)
        switch answer.status {
        case 200: return (try Self.tag(answer), Self.json(answer)["setAside"]?.string)
        case 412: return nil
        default: throw Self.failure(answer)
        }
    }

    func setAside() async throws(Failure) -> String? {
        let answer = try await self.ask(.delete, "\(self.path)/store")
        guard answer.status == 200 else { throw Self.failure(answer) }
        return Self.json(answer)["setAside"]?.string
    }

    func contentSetAside(schema: Int) async throws(Failure) -> [UInt8]? {
        let answer = try await self.ask(.get, "\(self.path)/set-aside/\(schema)")
        switch answer.status {
        case 200: return answer.body
        // The agent numbers fewer schemas than there may be one day.
        case 400, 404: return nil
        default: throw Self.failure(answer)
        }
    }

    /// The events after a number, held for some seconds; without a number, the one to begin with.
    func events(after number: Int64?, wait: Int) async throws(Failure) -> (events: [JSONValue], next: Int64) {
        let query = number.map { "?after=\($0)&wait=\(wait)" } ?? ""
        let answer = try await self.ask(.get, "/v1/events\(query)", wait: .seconds(wait))
        guard answer.status == 200 else { throw Self.failure(answer) }
        guard let next = Self.json(answer)["next"]?.integer else { throw Self.unreadable }
        return (Self.json(answer)["events"]?.array ?? [], next)
    }

    private func ask(
        _ method: HTTPClient.Method, _ path: String, _ headers: HTTPClient.Headers = [:], _ body: [UInt8]? = nil,
        wait: Duration = .zero
    ) async throws(Failure) -> HTTPClient.Response {
        do throws(HTTPClientError) {
            return try await self.send(method, path, headers, body, wait: wait)
        } catch {
            throw self.failure(error)
        }
    }

    private func send(
        _ method: HTTPClient.Method, _ path: String, _ headers: HTTPClient.Headers = [:], _ body: [UInt8]? = nil,
        wait: Duration = .zero
    ) async throws(HTTPClientError) -> HTTPClient.Response {
        var request = HTTPClient.Request(method, "http://localhost\(path)", headers: headers, body: body)
        request.unixSocketPath = self.socketPath
        request.timeout = .seconds(10) + wait
        request.responseLimit = Self.contentLimit
        return try await self.transport.send(request)
    }

    private func failure(_ error: HTTPClientError) -> Failure {
        Failure("the agent of the box does not answer on \(self.socketPath): \(error)")
    }

    private static func failure(_ answer: HTTPClient.Response) -> Failure {
        let message = Self.json(answer)["message"]?.string ?? "status \(answer.status)"
        return Failure("the agent of the box does not serve the store of the vendor group: \(message)")
    }

    private static func tag(_ answer: HTTPClient.Response) throws(Failure) -> String {
        guard let tag = answer.headers["ETag"], (1...Self.tagLimit).contains(tag.utf8.count) else {
            throw Self.unreadable
        }
        return tag
    }

    private static func json(_ answer: HTTPClient.Response) -> JSONValue {
        (try? JSONDecoder().decode(JSONValue.self, from: Data(answer.body))) ?? .object([])
    }
}
