import AccessEnabler
import BoxEvents
import Clientless
import HTTPServer

extension AgentAPI {
    private static let storePath = "/v1/vendor-groups/{group}/store"
    private static let group = AgentEndpoint.Parameter(
        name: "group", place: .path, schema: Schema.text, about: "A vendor group that the calling application is in")

    var vendorGroupEndpoints: [AgentEndpoint] {
        [
            AgentEndpoint(
                method: .get, path: "/v1/vendor-groups", name: "vendor-groups",
                about: "The vendor groups that the calling application is in",
                answers: [(200, "The groups, by name", "VendorGroups")],
                handler: .task { (call) throws(AgentError) in
                    _ = try call.query()
                    let names = self.vendorGroups.names(of: call.caller)
                    return AgentAnswer(.init("groups", .array(names.map { .string($0) })))
                }),
            AgentEndpoint(
                method: .get, path: Self.storePath, name: "store",
                about: "What the applications of the group keep together, with its version as ETag",
                parameters: [
                    Self.group,
                    .init(
                        name: "If-None-Match", place: .header, schema: Schema.text,
                        about: "The version that the caller knows", isNeeded: false),
                ],
                answers: [
                    (200, "The content", Schema.octets), (204, "Nothing was ever kept", nil),
                    (304, "It is of the version that the caller knows", nil),
                ], failures: [.notFound, .storage],
                handler: .task { (call) throws(AgentError) in try await self.content(call) }),
            AgentEndpoint(
                method: .put, path: Self.storePath, name: "replace-store",
                about: "Replaces the content where it is of the version that the caller knows; on return it survives a "
                    + "power cut",
                parameters: [
                    Self.group,
                    .init(
                        name: "If-Match", place: .header, schema: Schema.text,
                        about: "The version that the caller knows"),
                    .init(
                        name: "former", place: .query, schema: Schema.text,
                        about: "Keeps the former content beside the new one, as damaged or schema-1 to schema-9",
                        isNeeded: false),
                ], body: Schema.octets, bodyLimit: SharedStore.contentLimit,
                answers: [(200, "It is kept", "StoreVersion")],
                failures: [.notFound, .changedMeanwhile, .tooLarge, .storage],
                handler: .task { (call) throws(AgentError) in try await self.replaceContent(call) }),
            AgentEndpoint(
                method: .delete, path: Self.storePath, name: "set-store-aside",
                about: "Puts a content aside that the caller cannot read", parameters: [Self.group],
                answers: [(200, "It is aside", "StoreVersion")], failures: [.notFound, .storage],
                handler: .task { (call) throws(AgentError) in try await self.setContentAside(call) }),
            AgentEndpoint(
                method: .get, path: "/v1/vendor-groups/{group}/set-aside/{schema}", name: "store-set-aside",
                about: "A content that was replaced with former=schema-N",
                parameters: [
                    Self.group,
                    .init(
                        name: "schema", place: .path,
                        schema: Schema.integer(
                            Int64(SharedStore.schemas.lowerBound)...Int64(SharedStore.schemas.upperBound)),
                        about: "The number of the schema"),
                ], answers: [(200, "The content", Schema.octets)], failures: [.notFound, .storage],
                handler: .task { (call) throws(AgentError) in try await self.contentSetAside(call) }),
        ]
    }

    private func content(_ call: AgentCall) async throws(AgentError) -> AgentAnswer {
        _ = try call.query()
        let store = try self.vendorGroups.store(of: call.request.segment("group"), for: call.caller)
        let known = try Self.version("If-None-Match", of: call)
        return try await Self.kept { () async throws(AccessEnabler.TokenStoreError) -> AgentAnswer in
            if let known, try await store.version() == known {
                return AgentAnswer(status: .notModified, tag: known.tag)
            }
            let content = try await store.content()
            guard let bytes = content.bytes else { return AgentAnswer(status: .noContent, tag: content.version.tag) }
            return AgentAnswer(octets: bytes, tag: content.version.tag)
        }
    }

    private func replaceContent(_ call: AgentCall) async throws(AgentError) -> AgentAnswer {
        let former = try Self.former(try call.query("former")["former"])
        let group = call.request.segment("group")
        let store = try self.vendorGroups.store(of: group, for: call.caller)
        guard let known = try Self.version("If-Match", of: call) else {
            throw AgentError(.badRequest, "If-Match must name the version that the caller knows.")
        }
        let bytes = call.request.body
        guard !bytes.isEmpty else { throw AgentError(.badRequest, "The body is empty.") }
        let replacement = try await Self.kept { () async throws(AccessEnabler.TokenStoreError) in
            try await store.replace(with: bytes, knowing: known, former: former)
        }
        switch replacement {
        case .outdated: throw AgentError(.changedMeanwhile, "The content is of another version.")
        case .kept(let version, let isNew, let place):
            if isNew { self.events.publish(.storeChanged(group: group, contentVersion: version.text)) }
            return Self.answer(version, setAside: place)
        }
    }

    private func setContentAside(_ call: AgentCall) async throws(AgentError) -> AgentAnswer {
        _ = try call.query()
        let group = call.request.segment("group")
        let store = try self.vendorGroups.store(of: group, for: call.caller)
        let place = try await Self.kept { () async throws(AccessEnabler.TokenStoreError) in try await store.setAside() }
        let version = ContentVersion(of: nil)
        if place != nil { self.events.publish(.storeChanged(group: group, contentVersion: version.text)) }
        return Self.answer(version, setAside: place)
    }

    private func contentSetAside(_ call: AgentCall) async throws(AgentError) -> AgentAnswer {
        _ = try call.query()
        let store = try self.vendorGroups.store(of: call.request.segment("group"), for: call.caller)
        guard let schema = Self.schema(call.request.segment("schema")) else {
            throw AgentError(.badRequest, "schema must be a number from 1 to 9.")
        }
        let bytes = try await Self.kept { () async throws(AccessEnabler.TokenStoreError) in
            try await store.contentSetAside(schema: schema)
        }
        guard let bytes else { throw AgentError(.notFound, "No content of this schema was put aside.") }
        return AgentAnswer(octets: bytes, tag: ContentVersion(of: bytes).tag)
    }

    private static func answer(_ version: ContentVersion, setAside place: String?) -> AgentAnswer {
        var members = [JSONValue.Member("version", .string(version.text))]
        if let place { members.append(.init("setAside", .string(place))) }
        var answer = AgentAnswer(json: .object(members))
        answer.tag = version.tag
        return answer
    }

    /// The version that a field of the head names; `nil` without the field.
    private static func version(_ name: String, of call: AgentCall) throws(AgentError) -> ContentVersion? {
        let fields = call.request.headers.all(name)
        guard let field = fields.first else { return nil }
        guard fields.count == 1, let version = ContentVersion(tag: field) else {
            throw AgentError(.badRequest, "\(name) must be one ETag of this store.")
        }
        return version
    }

    private static func former(_ text: String?) throws(AgentError) -> AccessEnabler.TokenStoreChange.Former {
        switch text {
        case nil: return .dropped
        case "damaged"?: return .damaged
        case let text?:
            guard text.hasPrefix("schema-"), let number = Self.schema(text.dropFirst(7)) else {
                throw AgentError(.badRequest, "former must be damaged, or schema-1 to schema-9.")
            }
            return .schema(number)
        }
    }

    private static func schema(_ text: some StringProtocol) -> Int? {
        guard text.utf8.count == 1, let number = Int(text), SharedStore.schemas.contains(number) else { return nil }
        return number
    }

    /// - Throws: `storage` where the file cannot be used. The cause names the file, for the operator who is told of it.
    private static func kept<Result: Sendable>(
        _ work: () async throws(AccessEnabler.TokenStoreError) -> Result
    ) async throws(AgentError) -> Result {
        do throws(AccessEnabler.TokenStoreError) {
            return try await work()
        } catch {
            throw AgentError(.storage, "The store of the vendor group cannot be used: \(error).")
        }
    }
}
