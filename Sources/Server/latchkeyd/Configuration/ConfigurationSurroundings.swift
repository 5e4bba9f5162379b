import FoundationEssentials
import HTTPServer

// The files and folders a configuration names, as far as they can be looked at without starting anything.
extension Configuration {
    /// The faults that would keep the server from starting; sentences that begin with the setting.
    func surroundingFaults() -> [String] {
        self.keyFaults().map { "keys.folder: \($0)" } + self.storeFaults() + self.certificateFaults()
            + self.catalogueFaults()
    }

    private func keyFaults() -> [String] {
        let folder = self.keyFolder
        let faults = folder.faults()
        guard faults.isEmpty else { return faults }
        // The contents of files that are as they should be.
        return OperatorError.sentences { () throws(OperatorError) in _ = try folder.load() }
    }

    private func certificateFaults() -> [String] {
        let server = self.server
        let files = [("certificate", server.certificateFile), ("certificateKey", server.certificateKeyFile)]
        let faults: [String] = files.compactMap { key, file in
            guard let path = file.map(self.path) else { return nil }
            guard FileManager.default.isReadableFile(atPath: path) else {
                return "server.\(key): The file \(path) is not there, or may not be read by this user."
            }
            guard key == "certificateKey" else { return nil }
            return PrivateFiles.openness(of: path).map { "server.certificateKey: \($0)" }
        }
        guard faults.isEmpty else { return faults }
        do throws(OperatorError) {
            guard let tls = try ServeCommand.tls(self) else { return [] }
            return [self.certificateFault(tls)].compactMap(\.self)
        } catch {
            return ["server.certificate: \(error)"]
        }
    }

    /// The fault of the configured certificate and its key, as a sentence that begins with the setting; `nil` when
    /// there is none.
    /// - Parameter tls: what the two files hold.
    func certificateFault(_ tls: HTTPServerConfiguration.TLS) -> String? {
        let (certificate, key) = (self.server.certificateFile ?? "", self.server.certificateKeyFile ?? "")
        if let fault = tls.fault {
            return "server.certificate: The file \(self.path(certificate)) and its key \(self.path(key)) cannot be "
                + "used: \(fault)."
        }
        // Behind a proxy it may be for the name that the proxy calls.
        guard self.server.trustedProxies.isEmpty, ConfigurationWarning.isForeign(tls, in: self) else { return nil }
        return "server.certificate: \(self.path(certificate)) is not for the name in server.publicURL, so boxes and "
            + "browsers refuse it. A reload refuses it and keeps the old one; a start goes on with it and a warning."
    }
}
