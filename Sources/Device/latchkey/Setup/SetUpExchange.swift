import AccessEnabler
import Clientless
import CommandLineTool
import Cryptography
import FoundationEssentials
import HTTPClient
import POSIX
import TextCoding

/// The exchange of a set-up code for the box's configuration, once.
struct SetUpExchange {
    /// More than any answer of the server.
    private static let limit = 64 << 10

    private let server: String
    private let code: SetUpCodeText
    private let way: BoxWay
    /// The server gives the same answer again for it, if the first one was lost.
    private let nonce = Hex.encode(SecureRandom.bytes(16))

    /// - Throws: for a text that is no code, so that none is tried in vain, and for a way on which others can listen.
    init(server: String, isInsecure: Bool, code: String, way: BoxWay) throws(CommandFault) {
        guard let code = SetUpCodeText(code) else {
            throw CommandFault(
                "usage",
                "--code is twelve letters and digits such as 7KQ4-M2XB-CDFG, without vowels, Y, 0 and 1.", .usage)
        }
        guard let url = Settings.webURL(server),
            AccessEnabler.Environment.custom(url, allowsPlainHTTP: isInsecure).serviceProvider != nil
        else {
            throw CommandFault(
                "usage",
                "--server must be an https address: over http everyone in the network could read the box's key. "
                    + "--insecure allows it.", .usage)
        }
        self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.code = code
        self.way = way
    }

    func answer() async throws(CommandFault) -> JSONValue {
        var request = HTTPClient.Request(
            .post, "\(self.server)/o/client/setup",
            body: Array(PercentCoding.form([("setup_code", self.code.text), ("nonce", self.nonce)]).utf8))
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.headers["Accept"] = "application/json"
        request.responseLimit = Self.limit
        request.timeout = .seconds(30)
        let response: HTTPClient.Response
        do throws(HTTPClientError) {
            response = try await self.response(to: request)
        } catch {
            throw self.fault(error)
        }
        return try self.configuration(in: response)
    }

    /// Asks once more where the answer was lost.
    private func response(to request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        do throws(HTTPClientError) {
            return try await HTTPClient.sendOnce(request, self.way.clientConfiguration)
        } catch {
            switch error.code {
            case .unreachable, .tls: throw error
            default: return try await HTTPClient.sendOnce(request, self.way.clientConfiguration)
            }
        }
    }

    private func configuration(in response: HTTPClient.Response) throws(CommandFault) -> JSONValue {
        let json = JSONValue(reading: response.body) ?? .object([])
        let name = terminalSafe(self.server)
        switch response.status {
        case 200:
            guard case .object(let members) = json, !members.isEmpty else {
                throw CommandFault(
                    "malformed_answer", "\(name) does not answer as expected. \(Self.doubt)", .unreachable)
            }
            return json
        case 400 where json["error"]?.string == "invalid_grant":
            throw CommandFault(
                "code_refused",
                "\(name) does not take this code: it is mistyped, was used, was taken back, or its time is over. Ask "
                    + "the server's operator for another.", .credentialsRefused)
        case 429:
            throw CommandFault(
                "throttled",
                "\(name) has had too many wrong codes from here. The code is still good: try again in "
                    + "some minutes.", .unreachable)
        case 503:
            throw CommandFault("server_fault", "\(name) cannot exchange codes now. \(Self.doubt)", .unreachable)
        case 500... where response.status != 501:
            throw CommandFault("server_fault", "\(name) has a fault (\(response.status)). \(Self.doubt)", .unreachable)
        default:
            throw CommandFault(
                "refused", "\(name) takes no set-up codes. Is the address right? The code is still good.", .failure)
        }
    }

    private func fault(_ error: HTTPClientError) -> CommandFault {
        let name = terminalSafe(self.server)
        let sentence = error.addressSentence(server: name, authority: self.way.certificateAuthority)
        if error.code == .tls {
            let untrusted = sentence ?? "The certificate of \(name) is not trusted here.\(self.advice(error))"
            return CommandFault("untrusted", "\(untrusted) The code is still good.", .unreachable)
        }
        guard let sentence else {
            return CommandFault("unreachable", "\(name) gave no answer. \(Self.doubt)", .unreachable)
        }
        let condition = error.code == .unreachable || error.isOfHandshake ? "" : " then"
        return CommandFault("unreachable", "\(sentence) The code is still good\(condition).", .unreachable)
    }

    /// The advice if the server may have an authority of its own.
    private func advice(_ error: HTTPClientError) -> String {
        error.certificateFault == .unknownAuthority
            ? " If the server has an authority of its own, name its file with --certificate-authority." : ""
    }

    /// The advice if the server may have used the code up.
    private static let doubt = """
        Try once more. If the code is refused then, it is used up: ask the server's operator for another, and to revoke \
        the newest pair of 'latchkeyd keys list', which no box has.
        """
}

/// Settings that the box's network needs to reach the server, beyond those of the public one.
struct BoxWay: Hashable, Sendable {
    /// A file with the only authorities that are trusted; `nil` for those of the system.
    var certificateAuthority: String?
    var proxy: String?

    /// The word of the command line; a relative path counts from the working folder.
    /// - Throws: for a file that cannot be used, and for an address that is no proxy.
    init(_ arguments: ParsedArguments) throws(CommandFault) {
        self.certificateAuthority = arguments.value("certificate-authority").map { file in
            file.isEmpty || file.hasPrefix("/") ? file : "\(FileManager.default.currentDirectoryPath)/\(file)"
        }
        self.proxy = arguments.value("proxy")
        if let fault = self.fault("--certificate-authority", "--proxy") { throw CommandFault("usage", fault, .usage) }
        guard let file = self.certificateAuthority else { return }
        let text: String
        do throws(SystemError) {
            text = String(decoding: try WholeFile.read(file, limit: 1 << 20), as: UTF8.self)
        } catch {
            throw CommandFault("input", "\(file) cannot be read: \(error).", .stateProblem)
        }
        guard text.contains("-----BEGIN CERTIFICATE-----") else {
            throw CommandFault("input", "\(file) has no certificate in it.", .invalidData)
        }
    }

    /// The server's value, if the command line has none.
    /// - Throws: for values that the configuration of a box does not take.
    func completed(by answer: JSONValue) throws(CommandFault) -> BoxWay {
        var copy = self
        copy.certificateAuthority = self.certificateAuthority ?? answer["certificateAuthority"]?.string
        copy.proxy = self.proxy ?? answer["proxy"]?.string
        if let fault = copy.fault("The answer's certificateAuthority", "The answer's proxy") {
            throw CommandFault("input", fault, .invalidData)
        }
        return copy
    }

    /// The faults of it; the two go by these names.
    private func fault(_ authorityName: String, _ proxyName: String) -> String? {
        if let file = self.certificateAuthority, !file.hasPrefix("/") || !(2...4096).contains(file.utf8.count) {
            return "\(authorityName) must be the path of a file, from / on."
        }
        if let proxy = self.proxy, !Settings.isProxy(proxy) {
            return "\(proxyName) must be an address that begins with http://, https:// or socks5h://."
        }
        return nil
    }

    var clientConfiguration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.proxy = self.proxy
        configuration.authorityFile = self.certificateAuthority
        return configuration
    }
}
