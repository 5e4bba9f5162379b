package import HTTPServer

extension Router {
    /// Words the answers no route gives as the API does: preflights, 404 and 405, in the form asked for (rest-v1 3.3,
    /// 3.7).
    /// - Parameter page: the answer for people, whose browser asks for HTML.
    package mutating func useAPIFallback(
        page: @escaping @Sendable (HTTPRequest, HTTPStatus) -> HTTPResponse = { Answer.page(WireError($1, $1.reason)) }
    ) {
        self.preflight = CommonHeaders.preflight
        self.fallback = { request, status in
            let preference = Call.preference(of: request, request.query)
            return preference.isForPeople
                ? page(request, status) : Answer.error(WireError(status, status.reason), preference.format)
        }
        self.fallbackGroup = .api()
    }
}
