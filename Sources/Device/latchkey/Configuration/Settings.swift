import AccessEnabler
import Clientless
import CommandLineTool
import Cryptography
import FoundationEssentials

/// What the box works with: the configuration file, and the options that win over it.
///
/// Members of the file: `server`, `requestor`, `softwareStatement` or `keyPair` {`publicKey`, `privateKey`},
/// `deviceName`, `model`, `scope`, `pollInterval` (seconds), `activationURL`. Variables: `XDG_STATE_HOME`.
struct Settings: Sendable {
    static let defaultFile = "/etc/latchkey/latchkey.json5"
    static let defaultStateFile = "/var/lib/latchkey/state.json"

    let requestor: String
    let credentials: Credentials
    let configuration: Configuration
    /// The server as a person knows it.
    let serverName: String

    /// - Throws: every fault at once.
    init(_ arguments: ParsedArguments, environment: [String: String]) throws(ConfigurationFaults) {
        let path = arguments.value("config") ?? Self.defaultFile
        var reader = ConfigurationReader(
            try configurationMembers(path, isNeeded: arguments.has("config")))
        let server = reader.text("server", limit: 1024)
        let requestor = reader.text("requestor", limit: 64)
        let credentials = reader.credentials()
        var configuration = Configuration(applicationID: "latchkey")
        configuration.vendorGroup = VendorGroup(
            identifier: "latchkey", deviceScope: reader.text("scope") ?? "latchkey")
        configuration.tokenStore = PrivateFileStore(path: arguments.value("state") ?? stateFile(environment))
        // The viewer picks the provider on the phone, and a box that was switched off shows its code again.
        configuration.providerChoice = .secondScreen
        configuration.resumesRegistrationCode = true
        configuration.callbackDispatcher = InlineDispatcher()
        configuration.clientInformation = BoxFacts.clientInformation(
            model: reader.text("model"), name: reader.text("deviceName"))
        if let seconds = reader.number("pollInterval", in: 1...60) { configuration.pollInterval = .seconds(seconds) }
        configuration.activationURL = reader.text("activationURL", limit: 1024)
        if let url = configuration.activationURL, webURL(url) == nil {
            reader.fault("activationURL", "must be an http or https address")
        }
        reader.finish()
        var faults = reader.faults.map { "\(path): \($0)" }

        // Options replace what the file says, faults of the file's own value included.
        let chosenServer = arguments.value("server") ?? server
        let chosenRequestor = arguments.value("requestor") ?? requestor
        if let text = chosenServer {
            if let url = webURL(text) {
                // Whoever writes http for a server of their own network means it.
                configuration.environment = .custom(url, allowsPlainHTTP: true)
            } else {
                let place = arguments.has("server") ? "--server" : "\(path): server"
                faults.append("\(place) must be an http or https address without query and fragment.")
            }
        } else if !faults.contains(where: { $0.hasPrefix("\(path): server ") }) {
            faults.append("\(path): server is missing, and so is --server.")
        }
        if let text = chosenRequestor {
            if RequestorID(text) == nil {
                let place = arguments.has("requestor") ? "--requestor" : "\(path): requestor"
                faults.append("\(place) must be 1 to 64 letters, digits, '_' or '-'.")
            }
        } else if !faults.contains(where: { $0.hasPrefix("\(path): requestor ") }) {
            faults.append("\(path): requestor is missing, and so is --requestor.")
        }
        if credentials == nil, !faults.contains(where: { $0.contains("softwareStatement") || $0.contains("keyPair") }) {
            faults.append("\(path): softwareStatement or keyPair is missing.")
        }
        guard faults.isEmpty, let chosenServer, let chosenRequestor, let credentials else {
            throw ConfigurationFaults(faults: faults)
        }
        self.requestor = chosenRequestor
        self.credentials = credentials
        self.configuration = configuration
        self.serverName = chosenServer
    }
}

extension ConfigurationReader {
    /// One kind of credentials, and not both.
    fileprivate mutating func credentials() -> Credentials? {
        let statement = self.text("softwareStatement", limit: 16_384)
        let keyPair = self.group("keyPair") { group -> KeyPair? in
            let publicKey = group.text("publicKey", limit: 128)
            let privateKey = group.text("privateKey", limit: 256)
            if publicKey == nil { group.fault("publicKey", "is missing or not right") }
            if privateKey == nil { group.fault("privateKey", "is missing or not right") }
            guard let publicKey, let privateKey else { return nil }
            guard let pair = KeyPair(publicKey: publicKey, privateKey: Secret(privateKey)) else {
                group.fault("publicKey", "must be letters, digits and '-._~+/='")
                return nil
            }
            return pair
        }
        if statement != nil, keyPair != nil {
            self.fault("keyPair", "must not stand beside softwareStatement")
            return nil
        }
        if let statement { return .softwareStatement(Secret(statement)) }
        return keyPair.map { .keyPair($0) }
    }
}

/// The members of the file; none where a default file is not there.
private func configurationMembers(
    _ path: String, isNeeded: Bool
) throws(ConfigurationFaults) -> [String: ConfigurationValue] {
    let bytes: Data
    do {
        guard isNeeded || FileManager.default.fileExists(atPath: path) else { return [:] }
        bytes = try Data(contentsOf: URL(filePath: path))
    } catch {
        throw ConfigurationFaults(faults: ["\(path) cannot be read."])
    }
    guard bytes.count <= 256 << 10 else { throw ConfigurationFaults(faults: ["\(path) is larger than 256 KiB."]) }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
        if case .members(let members) = try decoder.decode(ConfigurationValue.self, from: bytes) { return members }
        throw ConfigurationFaults(faults: ["\(path) must be one group in braces."])
    } catch let faults as ConfigurationFaults {
        throw faults
    } catch {
        throw ConfigurationFaults(faults: ["\(path) is not JSON5\(place(of: error))."])
    }
}

/// What the decoder knows about the place of a fault, in its own words.
private func place(of error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error,
        let cause = context.underlyingError as? CocoaError,
        let words = unsafe cause.userInfo["NSDebugDescription"] as? String
    else { return "" }
    return ": \(terminalSafe(words, limit: 200))"
}

private func stateFile(_ environment: [String: String]) -> String {
    guard let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") else { return Settings.defaultStateFile }
    return "\(folder)/latchkey/state.json"
}

private func webURL(_ text: String) -> URL? {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let url = URL(string: text),
        url.scheme == "https" || url.scheme == "http", url.host()?.isEmpty == false, url.query() == nil,
        url.fragment() == nil, url.user() == nil
    else { return nil }
    return url
}
