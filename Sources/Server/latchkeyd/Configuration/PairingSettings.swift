import CommandLineTool
import Entitlement

extension Entitlements.Limits {
    /// Reads the group `pairing`.
    init(_ section: SettingsSection) {
        self.init()
        self.codesPerDevice = section.read(
            "codesPerDevice", .integer(1...100), default: self.codesPerDevice,
            "The most open codes of one box; a further one cancels the oldest")
        self.codesBeforeLongerCodes = section.read(
            "codesBeforeLongerCodes", .integer(100...10_000_000), default: self.codesBeforeLongerCodes,
            "New codes of strict requestors get an eighth character while more than this many are open")
        self.remembered = section.read(
            "remembered", .integer(1000...100_000_000), default: self.remembered,
            "The most codes, and the most boxes, in memory to answer polls; a code takes about 1 KB, a signed-in box "
                + "5 KB")
        self.waiting = section.read(
            "waiting", .integer(0...10_000_000), default: self.waiting,
            "Polls held at a time; each needs a file descriptor; with server.certificate at most "
                + "server.maximumConnections")
        self.guessing.address = Self.attempts(
            section, "codeGuesses", self.guessing.address, "Wrong codes from one address, before it has to wait")
        self.guessing.session = Self.attempts(
            section, "codeGuessesOfSession", self.guessing.session,
            "Wrong codes from one browser session, before it has to wait")
        self.passwords.account = Self.attempts(
            section, "passwordGuesses", self.passwords.account,
            "Wrong passwords for one account from one network, before the next try has to wait")
        self.providerTime = section.read(
            "providerTime", .duration(.milliseconds(100) ... .seconds(120)), default: self.providerTime,
            "How long a TV provider may take to answer")
    }

    private static func attempts(
        _ section: SettingsSection, _ key: String, _ defaults: AttemptLimit, _ explanation: String
    ) -> AttemptLimit {
        section.section(key, explanation) { section in
            AttemptLimit(
                failures: section.read(
                    "failures", .integer(1...1_000_000), default: defaults.failures, "The number that is allowed"),
                window: section.read(
                    "window", .duration(.seconds(1) ... .seconds(86_400)), default: defaults.window,
                    "The time in which they are counted"),
                penalty: section.read(
                    "penalty", .duration(.seconds(1) ... .seconds(86_400)), default: defaults.penalty,
                    "How long further ones are refused then"))
        }
    }
}
