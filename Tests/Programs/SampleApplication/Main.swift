import AccessEnabler
import FoundationEssentials
import Glibc

/// The smallest useful application (access-enabler 20), as a program that says every event as a line of JSON.
///
/// Built without access to what the package keeps to itself: what it calls is what applications can call.
@main
struct Main {
    static func main() async {
        guard let order = Order(CommandLine.arguments.dropFirst().map { String($0) }) else {
            Line.talk(
                "usage: sample SERVER STATEMENT REQUESTOR RESOURCE [--provider=ID] [--measure-check=BATCHES,PIPE]")
            exit(64)
        }
        var configuration = AccessEnabler.Configuration(
            environment: .custom(order.server), interaction: .secondScreen, applicationID: "com.example.sample")
        // It does nothing else while a code is on show.
        configuration.givesBackMemoryWhilePolling = true
        let enabler = AccessEnabler(softwareStatement: order.statement, configuration: configuration)
        let status = await order.run(with: enabler)
        exit(status)
    }
}

extension Order {
    /// - Returns: the exit status: 0 with a token (or what was measured), 2 when nobody is signed in, 1 for the rest.
    func run(with enabler: AccessEnabler) async -> Int32 {
        enabler.setOptions([AccessEnabler.OptionKey.visitorID: .string("sample-visitor")])
        if let measurement = self.measurement {
            return await measurement.run(with: enabler, requestor: self.requestor)
        }
        let events = enabler.events
        async let listening: Void = self.listen(to: events, of: enabler)
        let status = await self.play(with: enabler)
        await enabler.shutDown()
        await listening
        return status
    }

    private func play(with enabler: AccessEnabler) async -> Int32 {
        do {
            try await enabler.configure(requestorID: self.requestor)
            if case .notAuthenticated = await enabler.authenticationStatus() {
                guard case .authenticated = await enabler.authenticate() else { return 2 }
            }
            _ = try await enabler.authorize(self.resource)
            return 0
        } catch {
            // It was an event, too.
            return 1
        }
    }

    /// Says every event, and chooses where there is a choice.
    private func listen(to events: AsyncStream<EntitlementEvent>, of enabler: AccessEnabler) async {
        for await event in events {
            Line.say(event.line)
            if case .providerDialog(let mvpds) = event {
                // None is "Back".
                await enabler.selectProvider(mvpds.first { self.provider == nil || $0.id == self.provider }?.id)
            }
        }
    }
}
