package import HTTPClient

extension AccessEnabler {
    /// What carries requests to the server.
    package protocol Transport: Sendable {
        func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response
    }
}

extension HTTPClient: AccessEnabler.Transport {}
