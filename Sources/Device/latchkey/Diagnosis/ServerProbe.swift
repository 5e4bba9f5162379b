import AccessEnabler
import Clientless
import CommandLineTool
import HTTPClient
import POSIX

/// Looks at the way to the server by itself, apart from what the library makes of it.
struct ServerProbe {
    let settings: Settings

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
        return await Result { () async throws(HTTPClientError) in
            try await HTTPClient.sendOnce(request, self.settings.configuration.clientConfiguration)
        }
    }
}

/// The known facts of the box's clock when a certificate does not verify: on a box without a clock of its own the clock
/// is wrong far more often than the server is false.
struct ClockDoubt {
    /// Before this the program was not there: a clock that says so is wrong.
    static let release = Timestamp(milliseconds: 1_767_225_600_000)
    /// Less than this makes no difference to a certificate.
    private static let tolerance: Duration = .seconds(300)

    /// The faults of the certificate; `nil` if that is not known.
    var fault: HTTPClientError.CertificateFault?
    var boxTime = Timestamp(milliseconds: WallClock.milliseconds())
    /// The time that the server's host tells on its way without a certificate; a hint and no proof. `nil` without one.
    var hostTime: Timestamp?

    /// Whether the certificate's dates are the fault, which the clock may be to blame for.
    var isAboutTime: Bool { self.fault == .notYetValid || self.fault == .expired }
    private var isImpossible: Bool { self.boxTime < Self.release }

    private var isOff: Bool {
        self.hostTime.map { $0 - self.boxTime > Self.tolerance || self.boxTime - $0 > Self.tolerance } ?? false
    }

    /// Why the certificate does not verify, and what to do.
    func sentence(server: String, in phrases: BoxPhrases = .english) -> String {
        let values = [
            "server": server, "time": self.boxTime.timeText, "hostTime": self.hostTime?.timeText ?? "",
        ]
        return phrases.say(self.phrase, values)
    }

    private var phrase: BoxPhrase {
        guard self.isAboutTime || self.isImpossible else {
            return self.fault == .unknownAuthority ? .certificateUnknown : .certificateUntrusted
        }
        if self.isImpossible { return .clockImpossible }
        if self.isOff { return .clockOff }
        return self.fault == .expired ? .clockExpired : .clockEarly
    }
}

extension HTTPClientError {
    /// The fault of the server's address, of the proxy, or of the file of authorities, with what to do about it.
    /// - Parameters:
    ///   - server: the address, fit for a terminal.
    ///   - authority: the file with the only authorities that are trusted; `nil` for those of the system.
    /// - Returns: `nil` for any other failure.
    func addressSentence(server: String, authority: String?, in phrases: BoxPhrases = .english) -> String? {
        switch self.code {
        case .unreachable where self.isNameUnknown && self.isOfProxy:
            return "The proxy's name cannot be resolved. Is it spelled right, and is this box online?"
        case .unreachable where self.isNameUnknown: return phrases.say(.troubleName, ["server": server])
        case .unreachable:
            guard let status = self.proxyStatus else { return phrases.say(.troubleUnreachable, ["server": server]) }
            return "The proxy refuses (\(status)) to lead to \(server). "
                + (status == 407
                    ? "Has its own address the right name and password?"
                    : "Does it allow that address, and is the server there?")
        case .tls where self.certificateFault == .otherHost:
            let names = self.certificateNames.map { ": \(terminalSafe($0, limit: 200))" } ?? ""
            let side = self.isOfProxy ? "the proxy" : server
            return "The certificate of \(side) is one for another name\(names). Is the address right?"
        case .tls where self.isOfProxy:
            let file = authority.map { terminalSafe($0) } ?? "a file of certificateAuthority"
            return "The certificate of the proxy is not trusted here. "
                + (ClockDoubt(fault: self.certificateFault).isAboutTime
                    ? "Is this box's clock right?" : "Is its authority in \(file)?")
        case .tls where self.certificateFault == .unknownAuthority || self.certificateFault == .other:
            return authority.map {
                "\(terminalSafe($0)) does not vouch for the certificate of \(server). Is it the file of this server's "
                    + "authority? If so, this may not be the real server."
            }
        case .connectionLost where self.isOfHandshake: return "\(server) does not speak https. Is the port right?"
        case .connectionLost where server.lowercased().hasPrefix("http:"):
            return "\(server) gave no answer over http. Perhaps it speaks https."
        default: return nil
        }
    }
}
