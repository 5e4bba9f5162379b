import AccessEnabler
import Clientless
import CommandLineTool
import FoundationEssentials
import POSIX

/// The commands, on one library object.
struct Box {
    let settings: Settings
    let reporter: Reporter
    let enabler: AccessEnabler

    init(settings: Settings, reporter: Reporter) {
        self.settings = settings
        self.reporter = reporter
        self.enabler = AccessEnabler(
            credentials: settings.credentials, configuration: settings.configuration,
            whenStateSetAside: { path in
                reporter.warn("The state file was damaged. It is kept as \(path), and this box begins anew.")
            })
    }

    func shutDown() async {
        await self.enabler.shutDown()
    }

    func status() async -> ExitCode {
        await self.perform { () throws(EntitlementError) in
            guard let account = try await self.enabler.account() else {
                self.reporter.result(event: "status", ["signedIn": .boolean(false)], "Nobody is signed in.")
                return .notSignedIn
            }
            let name = await self.enabler.displayName(of: account)
            let left = lifetime(until: account.expires.milliseconds)
            self.reporter.result(
                event: "status", ["signedIn": .boolean(true)] + accountMembers(account, name: name),
                "Signed in with \(terminalSafe(name, limit: 80)), for \(left) more.")
            return .success
        }
    }

    func authorize(_ resource: String) async -> ExitCode {
        await self.perform { () throws(EntitlementError) in
            let token = try await self.enabler.mediaToken(for: resource)
            let expires = Int64((token.expires.timeIntervalSince1970 * 1000).rounded())
            return self.reporter.result(
                event: "mediaToken",
                ["resource": .string(token.resource), "token": .string(token.token), "expires": .integer(expires)],
                token.token)
        }
    }

    func logOut() async -> ExitCode {
        await self.perform { () throws(EntitlementError) in
            try await self.enabler.endSession()
            self.reporter.event("signedOut")
            self.reporter.say("Signed out.")
            return .success
        }
    }

    /// Runs `body` for the requestor of the settings, and turns a failure into its sentence and exit code.
    func perform(_ body: () async throws(EntitlementError) -> ExitCode) async -> ExitCode {
        do throws(ConfigurationFailure) {
            try await self.enabler.configure(requestorID: self.settings.requestor)
        } catch {
            self.reporter.fail(code: "configuration", "This is not a requestor ID.", exitCode: .configuration)
            return .configuration
        }
        do throws(EntitlementError) {
            return try await body()
        } catch {
            let failure = Sentence(error, settings: self.settings)
            self.reporter.fail(code: error.code.description, failure.text, exitCode: failure.exitCode)
            return failure.exitCode
        }
    }
}

/// The members about a sign-in that several events share.
func accountMembers(_ account: Authentication, name: String) -> EventMembers {
    ["mvpd": .string(account.mvpdID), "name": .string(name), "expires": .integer(account.expires.milliseconds)]
}

/// How long until `milliseconds` since 1970, in the largest unit that is at least one.
func lifetime(until milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds / 1000 - WallClock.milliseconds() / 1000)
    for (unit, length) in [("day", Int64(86_400)), ("hour", 3600), ("minute", 60)] where seconds >= length {
        let count = seconds / length
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
    return "\(seconds) seconds"
}
