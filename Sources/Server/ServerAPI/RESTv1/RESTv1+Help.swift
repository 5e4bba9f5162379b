import HTTPServer

// The page that explains error codes (rest-v1 8.3).
extension RESTv1 {
    func addHelpRoutes(to router: inout Router) {
        let page = HTTPResponse(
            headers: HTTPHeaders([
                ("Content-Type", ErrorPage.contentType), ("Cache-Control", "max-age=3600"),
                ("Content-Security-Policy", ErrorPage.policy), ("X-Content-Type-Options", "nosniff"),
            ]),
            body: .bytes(ErrorHelpPage.bytes))
        router.on(.get, path: ErrorHelpPage.path, name: "help-errors") { _ in .now(page) }
    }
}
