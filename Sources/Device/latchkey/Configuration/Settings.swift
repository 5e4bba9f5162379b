import AccessEnabler
import Clientless
import CommandLineTool
import FoundationEssentials
import POSIX

/// The settings of the box: the configuration file, and the options that win over it.
///
/// Members of the file: `server`, `requestor`, `softwareStatement` or `keyPair` {`publicKey`, `privateKey`},
/// `deviceName`, `model`, `scope`, `pollInterval` (seconds), `activationURL`, `insecure`. Variables: `XDG_STATE_HOME`.
struct Settings: Sendable {
    static let defaultFile = "/etc/latchkey/latchkey.json5"
    static let defaultStateFile = "/var/lib/latchkey/state.json"

    let requestor: String
    let credentials: AccessEnabler.Credentials
    let configuration: AccessEnabler.Configuration
    /// The server as a viewer knows it.
    let serverName: String
    let stateFile: String

    /// - Throws: every fault at once.
    init(_ arguments: ParsedArguments, environment: [String: String]) throws(ConfigurationFaults) {
        let path = arguments.value("config") ?? Self.defaultFile
        let file = try configurationFile(path, isNeeded: arguments.has("config"))
        var reader = ConfigurationReader(file.members)
        let server = reader.text("server", limit: 1024)
        let requestor = reader.text("requestor", limit: 64)
        let credentials = reader.credentials(areOpenToOthers: file.isOpenToOthers)
        let isInsecure = arguments.has("insecure") || reader.flag("insecure") ?? false
        var configuration = AccessEnabler.Configuration(applicationID: "latchkey")
        configuration.vendorGroup = AccessEnabler.VendorGroup(
            identifier: "latchkey", deviceScope: reader.text("scope") ?? "latchkey")
        let state = arguments.value("state") ?? latchkey.stateFile(environment)
        configuration.tokenStore = AccessEnabler.PrivateFileStore(path: state)
        // The viewer picks the provider on the phone, and a box that was switched off shows its code again.
        configuration.providerChoice = .secondScreen
        configuration.resumesRegistrationCode = true
        configuration.callbackDispatcher = AccessEnabler.InlineDispatcher()
        // This program does nothing else while a code is on show, which may be for half an hour.
        configuration.givesBackMemoryWhilePolling = true
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
            let place = arguments.has("server") ? "--server" : "\(path): server"
            if let url = webURL(text) {
                let environment = AccessEnabler.Environment.custom(url, allowsPlainHTTP: isInsecure)
                configuration.environment = environment
                if environment.serviceProvider == nil {
                    faults.append(
                        "\(place) must be an https address: over http everybody in the network could read and change "
                            + "everything. --insecure allows it.")
                }
            } else {
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
        self.stateFile = state
    }
}

extension ConfigurationReader {
    /// One kind of credentials, and not both.
    /// - Parameter areOpenToOthers: whether other users can read the file.
    fileprivate mutating func credentials(areOpenToOthers: Bool) -> AccessEnabler.Credentials? {
        let statement = self.text("softwareStatement", limit: 16_384)
        let keyPair = self.group("keyPair") { group -> AccessEnabler.Credentials? in
            let publicKey = group.text("publicKey", limit: 128)
            let privateKey = group.text("privateKey", limit: 256)
            if privateKey != nil, areOpenToOthers {
                group.fault("privateKey", "must not be readable by other users: give the file mode 0600")
            }
            if publicKey == nil { group.fault("publicKey", "is missing or not right") }
            if privateKey == nil { group.fault("privateKey", "is missing or not right") }
            guard let publicKey, let privateKey else { return nil }
            guard let pair = AccessEnabler.Credentials.keyPair(publicKey: publicKey, privateKey: privateKey) else {
                group.fault("publicKey", "must be letters, digits and '-._~+/='")
                return nil
            }
            return pair
        }
        if statement != nil, keyPair != nil {
            self.fault("keyPair", "must not stand beside softwareStatement")
            return nil
        }
        return statement.map { AccessEnabler.Credentials.softwareStatement($0) } ?? keyPair
    }
}

/// The members of the file; no members where a default file is not there.
private func configurationFile(
    _ path: String, isNeeded: Bool
) throws(ConfigurationFaults) -> (members: [String: ConfigurationValue], isOpenToOthers: Bool) {
    let bytes: [UInt8]
    let isOpenToOthers: Bool
    do throws(SystemError) {
        bytes = try WholeFile.read(path, limit: 256 << 10)
        isOpenToOthers = try FileStatus(of: path, followsLinks: true).isOpenToOthers
    } catch {
        switch error {
        case .notFound where !isNeeded: return ([:], false)
        case .tooLarge: throw ConfigurationFaults(faults: ["\(path) is larger than 256 KiB."])
        default: throw ConfigurationFaults(faults: ["\(path) cannot be read: \(error)."])
        }
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
        if case .members(let members) = try decoder.decode(ConfigurationValue.self, from: Data(bytes)) {
            return (members, isOpenToOthers)
        }
        throw ConfigurationFaults(faults: ["\(path) must be one group in braces."])
    } catch let faults as ConfigurationFaults {
        throw faults
    } catch {
        throw ConfigurationFaults(faults: ["\(path) is not JSON5\(place(of: error))."])
    }
}

/// The decoder's own words about the place of a fault.
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
