import CommandLineTool
import HTTPClient

extension HTTPClientError {
    /// The fault of the server's address, or of the file of authorities, with what to do about it.
    /// - Parameters:
    ///   - server: the address, fit for a terminal.
    ///   - authority: the file with the only authorities that are trusted; `nil` for those of the system.
    /// - Returns: `nil` for any other failure.
    func addressSentence(server: String, authority: String?, in phrases: BoxPhrases = .english) -> String? {
        switch self.code {
        case .unreachable where self.isNameUnknown && self.isOfProxy:
            return "The proxy's name cannot be resolved. Is it spelled right, and is this box online?"
        case .unreachable where self.isNameUnknown: return phrases.say(.troubleName, ["server": server])
        case .unreachable: return phrases.say(.troubleUnreachable, ["server": server])
        case .tls where self.certificateFault == .otherHost:
            let names = self.certificateNames.map { ": \(terminalSafe($0, limit: 200))" } ?? ""
            return "The certificate of \(server) is one for another name\(names). Is the address right?"
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
