package import Clientless
package import HTTPServer

extension RouteGroup {
    /// What all endpoints of the API share: the fields of every answer and, where one is given, the throttle.
    package static func api(
        throttle: Throttle? = nil, settings: APISettings? = nil, now: (@Sendable () -> Timestamp)? = nil
    ) -> RouteGroup {
        guard let throttle, let settings, let now else { return RouteGroup(decorate: CommonHeaders.decorate) }
        return RouteGroup(
            before: { request in Self.refusal(of: request, throttle, settings.trustedProxies, now()) },
            decorate: CommonHeaders.decorate)
    }

    /// 429 in the form asked for; HTML only when nothing was asked.
    private static func refusal(
        of request: HTTPRequest, _ throttle: Throttle, _ proxies: Set<IPAddress>, _ now: Timestamp
    ) -> HTTPResponse? {
        let address = ClientAddress.of(request, trusting: proxies)
        guard let wait = throttle.admit(address: address, device: request.parameters["deviceId"], now: now)
        else { return nil }
        let call = Call(request, now: now)
        let error = WireError.tooManyRequests(retryAfter: wait)
        return call.preference.nothingWasAsked ? Answer.page(error) : Answer.error(error, call.format)
    }
}
