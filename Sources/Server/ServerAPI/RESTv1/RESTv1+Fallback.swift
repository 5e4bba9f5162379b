import Entitlement
import HTTPServer

extension RESTv1 {
    private static let prefixes = ["/api/v1/", "/reggie/v1/"]

    /// Words what no route of this face answers as its routes do: 405 for requestors with enhanced errors (rest-v1
    /// 8.3), and preflights for origins that may call (rest-v1 3.7).
    func adaptFallback(of router: inout Router) {
        let earlier = router.fallback
        if !self.authenticator.requestors.haveClassicErrors {
            router.fallback = { request, status in
                guard status == .methodNotAllowed, Self.prefixes.contains(where: { request.path.hasPrefix($0) })
                else { return earlier(request, status) }
                let call = Call(request, now: self.now())
                let requestor = self.authenticator.presumedRequestor(of: request, named: call.requestorName)
                let style = self.styles.style(for: requestor, trace: request.id)
                guard style != .classic, !call.preference.isForPeople else { return earlier(request, status) }
                return Answer.error(WireError(status, status.reason), call.format, style)
            }
        }
        guard self.settings.limitsOrigins else { return }
        let origins = self.settings.originPolicy(self.domain.catalogue)
        router.preflight = { request in
            guard let origin = request.headers["Origin"], !origins.admits(origin)
            else { return CommonHeaders.preflight(request) }
            return .empty(status: .noContent)
        }
        router.fallbackGroup = RouteGroup(decorate: { CommonHeaders.decorate($0, $1, origins) })
    }
}
