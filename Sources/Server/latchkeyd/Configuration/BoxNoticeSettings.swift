import CommandLineTool
import Cryptography
import OpenIDConnect

/// The program that the server tells of boxes that are new to their viewer, so that the viewer gets a message.
package struct BoxNoticeSettings: Hashable, Sendable {
    let address: String
    let token: ProviderFile?
    let authorities: ProviderFile?
    let time: Duration

    /// - Returns: `nil` when there is none, or something is wrong, which is then reported.
    static func read(_ section: SettingsSection) -> BoxNoticeSettings? {
        let address = section.readOptional(
            "address", .webPage, example: "https://mail.example/new-box",
            "The address that gets a POST of JSON for each new box; left out, no notices are sent")
        let token = section.readOptional(
            "token", .file, example: "new-box.token", "The file with the bearer token, in its first line")
        let authorities = section.readOptional(
            "authorities", .file, example: "new-box-ca.pem",
            "The certificate authorities of that address; left out, those of the system")
        let time = section.read(
            "time", .duration(.milliseconds(100) ... .seconds(30)), default: .seconds(5),
            "How long an answer may take")
        guard let address = section.endpoint(address, neededBy: ["token", "authorities"], called: "a program")
        else { return nil }
        return BoxNoticeSettings(
            address: address, token: ProviderFile("boxes.newBox.token", token, isSecret: true),
            authorities: ProviderFile("boxes.newBox.authorities", authorities), time: time)
    }

    var files: [ProviderFile] { [self.token, self.authorities].compactMap(\.self) }

    /// The faults of the files, as sentences that begin with the setting.
    func faults(in configuration: Configuration) -> [String] {
        self.files.flatMap { file in
            OperatorError.sentences { () throws(OperatorError) in
                let content = try configuration.content(of: file)
                if file == self.token { _ = try Self.token(in: content, configuration.path(file.name)) }
            }.map { "\(file.setting): \($0)" }
        }
    }

    /// The bearer token in the first line of a file.
    static func token(in text: Secret, _ file: String) throws(OperatorError) -> Secret {
        let line = text.withBytes { StandardInput.firstLine(of: $0) }
        // RFC 6750 2.1.
        let isToken = line.withBytes { bytes in
            !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7E).contains($0) }
        }
        guard isToken else {
            throw OperatorError(
                "The file \(file) has no token of visible ASCII in its first line.", exitCode: .configuration)
        }
        return line
    }
}

extension SettingsSection {
    /// The setting `address`, of something that the server calls with secrets.
    /// - Parameter others: settings that make no sense without it.
    /// - Returns: `nil` if it is missing or not fit, which is then reported.
    func endpoint(_ address: String?, neededBy others: [String], called name: String) -> String? {
        guard let address else {
            for other in others where self.has(other) { self.fault(other, "is set, but address is not") }
            return nil
        }
        guard EndpointAddress(address, policy: .secureOrLoopback) == nil else { return address }
        self.fault("address", "must be an https address; http only for \(name) on this machine")
        return nil
    }
}
