package import HTTPClient

extension AccessEnabler {
    /// Carries requests to the server.
    package protocol Transport: Sendable {
        func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response
    }
}

extension HTTPClient: AccessEnabler.Transport {}
