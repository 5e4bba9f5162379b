import AccessEnabler
import Clientless
import CommandLineTool
import FoundationEssentials
import HTTPClient
import POSIX

/// Looks at everything a box needs, in the order in which one thing needs the other, and says what to do.
extension BoxCall {
    /// - Returns: the exit code that belongs to the first fault.
    func doctor() async -> ExitCode {
        var findings = Findings(reporter: self.reporter)
        let settings: Settings
        do throws(SettingsFaults) {
            settings = try Settings(self.arguments, environment: self.environment)
            findings.tell("configuration", .ok, "\(settings.file) is right.")
        } catch {
            findings.tell(
                "configuration", .fault, error.description,
                advice: error.isMissing
                    ? "Make one with 'latchkey init'." : "Mend the file, and run 'latchkey doctor' again.",
                .configuration)
            for name in ["permissions", "state-file", "proxy", "own-ca", "dns", "server", "tls", "clock", "credential"]
            {
                findings.tell(name, .skipped, "Not looked at, as there is no configuration.")
            }
            return findings.exitCode
        }
        self.checkPermissions(settings, &findings)
        let box = Box(settings: settings, reporter: self.reporter)
        await self.checkState(box, &findings)
        self.checkWay(settings, &findings)
        await self.checkServer(settings, box, &findings)
        await box.shutDown()
        return findings.exitCode
    }

    private func checkPermissions(_ settings: Settings, _ findings: inout Findings) {
        guard let status = try? FileStatus(of: settings.file, followsLinks: true) else {
            return findings.tell("permissions", .skipped, "The settings come from options alone.")
        }
        if status.mode & 0o022 != 0 {
            findings.tell(
                "permissions", .warning, "\(settings.file) has mode \(status.modeText): other users can change it.",
                advice: "Run 'chmod \(status.owner == 0 && status.group != 0 ? "0640" : "0600") \(settings.file)'.")
        } else {
            findings.tell("permissions", .ok, "\(settings.file) has mode \(status.modeText).")
        }
    }

    private func checkState(_ box: Box, _ findings: inout Findings) async {
        let file = box.settings.stateFile(of: box.settings.requestor)
        do throws(EntitlementError) {
            try await box.enabler.checkStore()
            let device = try await box.enabler.deviceIdentifier()
            findings.tell("state-file", .ok, "\(file) can be written. This box's device ID is \(device).")
        } catch {
            findings.tell(
                "state-file", .fault, error.sentence(server: box.settings.serverName).text,
                advice:
                    "Make room if the disk is full, mount it for writing if it is read-only, or run latchkey as the user "
                    + "that paired the box.", .stateProblem)
        }
    }

    private func checkWay(_ settings: Settings, _ findings: inout Findings) {
        switch settings.configuration.proxy {
        case .none: findings.tell("proxy", .ok, "None is set.")
        case .url(let url, _):
            // Not the whole address, which may hold a password.
            let host = URL(string: url)?.host() ?? ""
            findings.tell("proxy", .ok, "The way to the server goes through \(terminalSafe(host)).")
        }
        guard let file = settings.certificateAuthority else {
            return findings.tell("own-ca", .ok, "None is set; the authorities of the system count.")
        }
        do throws(SystemError) {
            let text = String(decoding: try WholeFile.read(file, limit: 4 << 20), as: UTF8.self)
            if text.contains("-----BEGIN CERTIFICATE-----") {
                findings.tell("own-ca", .ok, "Only the authorities of \(file) count.")
            } else {
                findings.tell(
                    "own-ca", .fault, "\(file) has no certificate in it.",
                    advice: "Put the authority's certificate there in the PEM form.", .configuration)
            }
        } catch {
            findings.tell(
                "own-ca", .fault, "\(file) cannot be read: \(error).",
                advice: "Put the authority's certificate there, readable by this user.", .configuration)
        }
    }

    private func checkServer(_ settings: Settings, _ box: Box, _ findings: inout Findings) async {
        let probe = ServerProbe(settings: settings)
        let skipped = "Not looked at, as the server does not answer."
        let server = settings.serverName
        let answer = await probe.ask()
        let (nameOutcome, nameMessage): (BoxEvent.Check.Outcome, String) =
            settings.configuration.proxy == .none
            ? (.ok, "The name in \(server) is resolved.") : (.skipped, "Not looked at, as a proxy is set.")
        var sentence: String?
        if case .failure(let error) = answer {
            sentence = error.addressSentence(server: server, authority: settings.certificateAuthority)
        }
        switch answer {
        case .failure(let error) where error.isNameUnknown:
            findings.tell(
                "dns", .fault, sentence ?? error.description,
                advice: "If the box is online and the name right, look at /etc/resolv.conf.", .unreachable)
            for name in ["server", "tls", "clock", "credential"] { findings.tell(name, .skipped, skipped) }
        case .failure(let error) where error.code == .tls && !error.isOfProxy:
            findings.tell("dns", nameOutcome, nameMessage)
            findings.tell("server", .ok, "Something answers at \(server).")
            let doubt = await probe.doubt(error.certificateFault)
            let other =
                error.isOfAuthorityFile
                ? "The file of certificateAuthority cannot be used." : doubt.sentence(server: server)
            let setting = error.certificateFault == .otherHost ? "server" : "certificateAuthority"
            findings.tell(
                "tls", .fault, sentence ?? other,
                advice: sentence == nil ? doubt.advice : "Mend \(setting) in \(settings.file).", .unreachable)
            self.checkClock(doubt.hostTime, &findings)
            findings.tell("credential", .skipped, skipped)
        case .failure(let error):
            findings.tell("dns", nameOutcome, nameMessage)
            let isOfAddress = (error.code != .unreachable || error.proxyStatus != nil) && sentence != nil
            let setting =
                !error.isOfProxy ? "server" : error.code == .tls ? "proxy or certificateAuthority" : "server or proxy"
            let other = "\(server) cannot be reached (\(error.detail ?? error.description))."
            findings.tell(
                "server", .fault, isOfAddress ? sentence ?? other : other,
                advice: isOfAddress
                    ? "Mend \(setting) in \(settings.file)."
                    : "Check that the box is online, that the server runs, and the port.", .unreachable)
            for name in ["tls", "clock", "credential"] { findings.tell(name, .skipped, skipped) }
        case .success(let response):
            findings.tell("dns", nameOutcome, nameMessage)
            self.checkAnswer(response, settings, &findings)
            await self.checkCredential(box, &findings)
        }
    }

    private func checkAnswer(_ response: HTTPClient.Response, _ settings: Settings, _ findings: inout Findings) {
        let server = settings.serverName
        if response.status >= 500 {
            findings.tell(
                "server", .fault, "\(server) has a fault (\(response.status)).",
                advice: "Tell the server's operator.", .unreachable)
        } else if isOfThisComputer(settings.serverHost ?? "") {
            findings.tell(
                "server", .warning, "\(server) answers, and only on this computer.",
                advice: "For a phone, give the server an address of the network, such as with 'latchkeyd init --lan'.")
        } else {
            findings.tell("server", .ok, "\(server) answers.")
        }
        if settings.serverURL.hasPrefix("https:") {
            findings.tell("tls", .ok, "Its certificate is trusted.")
        } else {
            findings.tell("tls", .warning, "It is spoken to without encryption.")
        }
        self.checkClock(response.date.map { Timestamp(milliseconds: $0 * 1000) }, &findings)
    }

    private func checkClock(_ serverTime: Timestamp?, _ findings: inout Findings) {
        let now = Timestamp(milliseconds: WallClock.milliseconds())
        let advice = "Set the clock, such as with 'timedatectl set-ntp true'."
        guard let serverTime else {
            if now < ClockDoubt.release {
                return findings.tell(
                    "clock", .fault, "The box's clock says \(now.timeText), which is wrong.", advice: advice, .failure)
            }
            return findings.tell("clock", .ok, "It says \(now.timeText); the server did not tell its own.")
        }
        let difference = abs(serverTime.milliseconds - now.milliseconds) / 1000
        guard difference > 60 else { return findings.tell("clock", .ok, "It says \(now.timeText), as the server's.") }
        findings.tell(
            "clock", difference > 3600 ? .fault : .warning,
            "It says \(now.timeText), the server's \(serverTime.timeText).", advice: advice,
            difference > 3600 ? .failure : nil)
    }

    private func checkCredential(_ box: Box, _ findings: inout Findings) async {
        do throws(EntitlementError) {
            do throws(EntitlementError) {
                try await box.configure()
            } catch {
                guard error.code == .refused else { throw error }
                let name = box.settings.requestor
                findings.tell(
                    "configuration", .fault,
                    error.sentence(server: box.settings.serverName, requestor: name).text,
                    advice: "Mend requestor in \(box.settings.file).", .configuration)
                return findings.tell("credential", .skipped, "Not looked at, as the server does not know \(name).")
            }
            try await box.enabler.checkCredential()
            findings.tell("credential", .ok, "\(box.settings.serverName) accepts it for \(box.settings.requestor).")
        } catch {
            let failure = error.sentence(server: box.settings.serverName)
            findings.tell(
                "credential", .fault, failure.text,
                advice: "Ask the server's operator for a new one, and run 'latchkey init' with it.", failure.exitCode)
        }
    }
}

/// Whether a host is the loopback interface (RFC 6761 6.3), which leads every other device to itself.
func isOfThisComputer(_ host: String) -> Bool {
    let host = host.lowercased()
    return host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.")
        || ["[::1]", "::1"].contains(host)
}

/// Tells findings as they come, and remembers the first fault.
private struct Findings {
    let reporter: Reporter
    private(set) var exitCode = ExitCode.success

    mutating func tell(
        _ name: String, _ outcome: BoxEvent.Check.Outcome, _ message: String, advice: String? = nil,
        _ exitCode: ExitCode? = nil
    ) {
        if let exitCode, self.exitCode == .success { self.exitCode = exitCode }
        func padded(_ word: String, to width: Int) -> String {
            word + String(repeating: " ", count: max(0, width - word.count))
        }
        self.reporter.result(
            .check(BoxEvent.Check(name, outcome, message, advice: advice)),
            "\(padded(outcome.rawValue, to: 9))\(padded(name, to: 13)) \(message)"
                + (advice.map { "\n                         \($0)" } ?? ""))
    }
}

extension ClockDoubt {
    /// The advice, if the sentence has none.
    fileprivate var advice: String? {
        self.isAboutTime || self.boxTime < Self.release
            ? "Set the clock, such as with 'timedatectl set-ntp true'."
            : "Set certificateAuthority to the file of the server's own authority, or mend the address."
    }
}
