package import HTTPServer

extension Router {
    /// Words the answers no route gives as the API does: preflights, 404 and 405, in the form asked for (rest-v1 3.3,
    /// 3.7).
    package mutating func useAPIFallback() {
        self.preflight = CommonHeaders.preflight
        self.fallback = { request, status in
            let preference = Call.preference(of: request, request.query)
            let error = WireError(status, status.reason)
            return preference.isForPeople ? Answer.page(error) : Answer.error(error, preference.format)
        }
        self.fallbackGroup = .api()
    }
}
