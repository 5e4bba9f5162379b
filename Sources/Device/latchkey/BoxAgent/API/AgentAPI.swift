import Clientless
import HTTPServer

/// The API on the socket: knows callers, holds them to their permission, and translates between wire and desks.
struct AgentAPI: Sendable {
    /// Bytes of a body.
    static let bodyLimit = 64 << 10
    /// Bytes of a resource, which may be an MRSS document, or of a name.
    static let resourceLimit = Resource.maximumLength
    static let nameLimit = 255
    static let resourcesLimit = 200

    let desks: [Desk]
    /// The desk of the account of the box; `nil` for a box without one.
    let account: Desk?
    let events: EventDesk
    let permissions: PermissionDesk
    let permissionWaits: HeldCalls
    let callers: Callers
    let server: String
    /// Told of each request, since the process then has memory to give back.
    let noteActivity: @Sendable () -> Void

    var endpoints: [AgentEndpoint] {
        self.statusEndpoints + self.pairingEndpoints + self.eventEndpoints + self.entitlementEndpoints
            + self.boxEndpoints + self.accountEndpoints + self.permissionEndpoints
    }

    var router: Router {
        var router = Router()
        for endpoint in self.endpoints {
            router.on(endpoint.method, path: endpoint.path, name: endpoint.name) { self.reply(endpoint, $0) }
        }
        router.preflight = { _ in AgentError(.methodNotAllowed, "There are no preflight requests here.").response }
        router.fallback = { _, status in
            switch status {
            case .notFound: AgentError(.notFound, "There is no such call.").response
            case .methodNotAllowed: AgentError(.methodNotAllowed, "The call has no such method.").response
            case .contentTooLarge: AgentError(.tooLarge, "The body is too large.").response
            default: AgentError(.badRequest, "The request cannot be read.").response
            }
        }
        return router
    }

    private func reply(_ endpoint: AgentEndpoint, _ request: HTTPRequest) -> HTTPReply {
        self.noteActivity()
        do throws(AgentError) {
            let call = AgentCall(caller: try self.caller(of: request, endpoint.access), request: request)
            try call.checkQuery(of: endpoint)
            switch endpoint.handler {
            case .wait(let handle): return try handle(call)
            case .task(let handle):
                return .later {
                    do throws(AgentError) {
                        return try await handle(call).response
                    } catch {
                        return error.response
                    }
                }
            }
        } catch {
            return .now(error.response)
        }
    }

    private func caller(of request: HTTPRequest, _ access: AgentEndpoint.Access) throws(AgentError) -> AgentCaller {
        guard let peer = request.peer, let caller = self.callers.caller(of: peer) else {
            throw AgentError(.permissionDenied, "The calling program cannot be told from others, or has ended.")
        }
        switch access {
        case .anyone: break
        case .permitted: try self.check(caller)
        case .operators:
            guard caller.isOperator else {
                throw AgentError(.permissionDenied, "Only root and the agent's own user may do this.")
            }
        }
        return caller
    }

    /// - Throws: what a caller without a permission is told.
    func check(_ caller: AgentCaller) throws(AgentError) {
        switch self.permissions.permission(of: caller) {
        case .granted: break
        case .denied: throw AgentError(.permissionDenied, "\(caller.application) may not use the sign-ins of this box.")
        case .undetermined:
            throw AgentError(
                .permissionUndetermined,
                "\(caller.application) has no permission yet: POST /v1/permission asks for it, and "
                    + "'latchkey permission grant \(caller.application)' gives it.")
        }
    }

    func desk(_ call: AgentCall) throws(AgentError) -> Desk {
        let name = call.request.segment("requestor")
        guard let desk = self.desks.first(where: { $0.requestor == name }) else {
            throw AgentError(.unknownRequestor, "The agent is not configured for this requestor.")
        }
        return desk
    }

    static let requestor = AgentEndpoint.Parameter(
        name: "requestor", place: .path, schema: .text(), about: "A channel brand of the configuration")
}
