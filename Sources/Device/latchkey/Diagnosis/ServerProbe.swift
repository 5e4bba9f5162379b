import Clientless
import HTTPClient

/// Looks at the way to the server by itself, apart from what the library makes of it.
struct ServerProbe {
    let settings: Settings

    /// The server's answer to a question that needs no credentials.
    func ask() async -> Result<HTTPClient.Response, HTTPClientError> {
        await self.get("\(self.settings.serverURL)/api/v1/config/\(self.settings.requestor)")
    }

    /// The clock of the server's host, asked without a certificate: a hint and no proof.
    func hostTime() async -> Timestamp? {
        guard let host = self.settings.serverHost, case .success(let response) = await self.get("http://\(host)/")
        else { return nil }
        return response.date.map { Timestamp(milliseconds: $0 * 1000) }
    }

    /// The known facts of the clock, when a certificate did not verify.
    func doubt(_ fault: HTTPClientError.CertificateFault?) async -> ClockDoubt {
        var doubt = ClockDoubt(fault: fault)
        if doubt.isAboutTime { doubt.hostTime = await self.hostTime() }
        return doubt
    }

    private func get(_ url: String) async -> Result<HTTPClient.Response, HTTPClientError> {
        var request = HTTPClient.Request(.get, url)
        request.timeout = .seconds(10)
        request.responseLimit = 1 << 20
        do throws(HTTPClientError) {
            return .success(try await HTTPClient.sendOnce(request, self.settings.clientConfiguration))
        } catch {
            return .failure(error)
        }
    }
}
