@testable package import HTTPServer

extension Router {
    /// The reply to `request` as a server would give it, without one: a decorated answer with the request's ID among its
    /// headers, or one to come. A held reply is returned as the handler made it. The path is read as the request says.
    package func respond(to request: HTTPRequest) -> HTTPReply {
        let routed = RouteTable(self) { _ in 0 }.dispatch(request, nil)
        @Sendable func shown(_ answer: HTTPResponse) -> HTTPResponse {
            let answer = routed.route.decorated(answer)
            return answer.idField.map { answer.adding("\($0.name)", $0.id.description) } ?? answer
        }
        return switch routed.reply {
        case .now(let response): .now(shown(response))
        case .later(let operation, _, _): .later { shown(await operation()) }
        case .held(let reply): .held(reply)
        }
    }
}
