/// Sends HTTP requests, each bounded in size and time; connections are kept and used again.
///
/// A client owns a thread from its first request until ``shutDown()`` or until it is released.
package final class HTTPClient: Sendable {
    private let configuration: Configuration
    private let loop = TransferLoop()

    package init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    deinit {
        self.loop.stop(then: nil)
    }

    /// Sends `request` and waits for the whole response.
    ///
    /// Any status is a response: 404 and 503 do not throw. Cancelling the task ends the transfer at once, unless the
    /// request must run to its end.
    /// - Throws: ``HTTPClientError`` with the code of what went wrong on the way.
    package func send(_ request: Request) async throws(HTTPClientError) -> Response {
        let transfer = try TransferPlan(request, self.configuration)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.loop.start(transfer, continuation)
            }
        } onCancel: {
            if !request.runsToItsEnd { self.loop.cancel(transfer) }
        }
        return try result.get()
    }

    /// Sends the one request of a client that is shut down afterwards.
    /// - Throws: as ``send(_:)``.
    package static func sendOnce(
        _ request: Request, _ configuration: Configuration = Configuration()
    ) async throws(HTTPClientError) -> Response {
        let client = HTTPClient(configuration)
        let result: Result<Response, HTTPClientError>
        do throws(HTTPClientError) {
            result = .success(try await client.send(request))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        return try result.get()
    }

    /// Ends what is under way with ``HTTPClientError/Code/cancelled``, closes every connection and ends the thread.
    ///
    /// A program calls this before it exits: OpenSSL may take itself down at exit, and must not be in use then. Requests
    /// sent later fail with ``HTTPClientError/Code/cancelled``.
    package func shutDown() async {
        await withCheckedContinuation { continuation in
            self.loop.stop(then: continuation)
        }
    }
}
