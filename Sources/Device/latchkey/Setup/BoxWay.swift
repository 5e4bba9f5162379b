import Clientless
import CommandLineTool
import FoundationEssentials
import HTTPClient
import POSIX

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
        if let proxy = self.proxy { configuration.proxy = .url(proxy, excluding: []) }
        if let file = self.certificateAuthority { configuration.trust = .file(file) }
        return configuration
    }
}
