import AccessEnablerConstants
import Testing

@testable import AccessEnabler

private typealias Flow = AuthenticationFlow
private let generic = Flow.Action.finish(.failure(code: GENERIC_AUTHENTICATION_ERROR))
private let notSelected = Flow.Action.finish(.failure(code: PROVIDER_NOT_SELECTED_ERROR))
private let cancelled = AdvancedStatus("N005", .info)
private let reported = AdvancedStatus("VSA503", .info, message: "m")
private let withPlatform = situation { $0.hasPlatform = true }

@Suite("The authentication flow")
struct AuthenticationFlowTests {
    /// A run: each event with the actions that it leads to, and the state at the end.
    fileprivate struct Run: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [(event: Flow.Event, actions: [Flow.Action])]
        let end: Flow.State

        init(_ name: String, _ steps: (Flow.Event, [Flow.Action])..., end: Flow.State) {
            self.testDescription = name
            self.steps = steps.map { ($0.0, $0.1) }
            self.end = end
        }
    }

    /// access-enabler 9.4, D-09
    private static let beginnings = [
        Run("shows the picker when nothing else is known", (situation(), [.showPicker(nil)]), end: .awaitingProvider),
        Run(
            "ends at once when there is no provider to pick",
            (situation { $0.hasProviders = false }, [.finish(.failure(code: PROVIDER_NOT_AVAILABLE_ERROR))]),
            end: .idle),
        Run(
            "takes a pre-selection before all else",
            (
                situation { ($0.preselected, $0.hasPlatform, $0.remembered) = (.other, true, .regular) },
                [.requestCode("SatOne")]
            ), end: .starting("SatOne")),
        Run(
            "takes the platform before a remembered provider",
            (situation { ($0.hasPlatform, $0.remembered) = (true, .regular) }, [.askPlatformAccess]),
            end: .platformPermission),
        Run(
            "takes a remembered provider before the picker",
            (situation { $0.remembered = .regular }, [.requestCode("CableNova")]), end: .starting("CableNova")),
        Run(
            "asks for a code for any provider where the viewer picks on the second screen",
            (situation { ($0.choosesOnSecondScreen, $0.remembered) = (true, .regular) }, [.requestCode(nil)]),
            (.codeObtained, [.poll]), end: .polling(nil)),
    ]

    private static let platform = [
        Run(
            "ends when the platform's dialog is cancelled and the policy is to abort",
            (situation { ($0.hasPlatform, $0.cancelEnds) = (true, true) }, [.askPlatformAccess]),
            (.accessGranted, [.queryPlatform]),
            (.platform(.cancelled), [.report(cancelled), notSelected]), end: .idle),
        Run(
            "exchanges the profile of a provider the platform signs in at, without a code",
            (withPlatform, [.askPlatformAccess]), (.accessGranted, [.queryPlatform]),
            (.platform(.account(.regular)), [.exchangeProfile("CableNova")]), (.token, [.store]),
            (.stored, [.finish(.success)]), end: .idle),
        Run(
            "signs in the regular way at a provider the platform only lists",
            (withPlatform, [.askPlatformAccess]), (.accessGranted, [.queryPlatform]),
            (.platform(.picked(.regular)), [.trackSelection("CableNova"), .requestCode("CableNova")]),
            end: .starting("CableNova")),
        Run(
            "shows the picker when the profile is refused or cannot be had",
            (withPlatform, [.askPlatformAccess]), (.accessGranted, [.queryPlatform]),
            (.platform(.account(.regular)), [.exchangeProfile("CableNova")]),
            (.platform(.left(reported)), [.showPicker(reported)]), end: .awaitingProvider),
    ]

    private static let providers = [
        Run(
            "asks for a code once a provider is chosen, and polls with it",
            (situation(), [.showPicker(nil)]), (.providerSelected(.regular), [.requestCode("CableNova")]),
            (.codeObtained, [.poll]), (.token, [.store]), (.stored, [.finish(.success)]), end: .idle),
        Run(
            "navigates in a browser, and retrieves the token when the navigation ended",
            (situation(.userAgent), [.showPicker(nil)]), (.providerSelected(.regular), [.requestCode("CableNova")]),
            (.codeObtained, [.navigate]), (.navigationEnded, [.retrieve]), (.token, [.store]),
            (.stored, [.finish(.success)]), end: .idle),
        Run(
            "ends with the generic error when there is no code",
            (situation(), [.showPicker(nil)]), (.providerSelected(.regular), [.requestCode("CableNova")]),
            (.failed(code: GENERIC_AUTHENTICATION_ERROR), [generic]), end: .idle),
        Run(
            "ends with the generic error when the code is over",
            (situation(), [.showPicker(nil)]), (.providerSelected(.regular), [.requestCode("CableNova")]),
            (.codeObtained, [.poll]), (.failed(code: GENERIC_AUTHENTICATION_ERROR), [generic]), end: .idle),
    ]

    private static let passes = [
        Run(
            "signs in on the spot at a pass that is chosen outside a flow",
            (.passChosen(.pass, .secondScreen), [.authenticateTemporarily("DayPass")]), (.token, [.store]),
            (.stored, [.finish(.success)]), end: .idle),
        Run(
            "signs in without the viewer at a pass, or at a provider that is bypassed, that is chosen in a flow",
            (situation(.userAgent), [.showPicker(nil)]),
            (.providerSelected(.pass), [.authenticateTemporarily("DayPass")]), end: .temporary("DayPass")),
        Run(
            "refuses a promotional pass without data",
            (situation(), [.showPicker(nil)]), (.providerSelected(.promotional), [generic]), end: .idle),
        Run(
            "takes a promotional pass with data",
            (situation { $0.hasData = true }, [.showPicker(nil)]),
            (.providerSelected(.promotional), [.authenticateTemporarily("Promo")]), end: .temporary("Promo")),
        Run(
            "takes a promotional pass that was chosen before",
            (
                situation { ($0.preselected, $0.hasData) = (.promotional, true) },
                [.authenticateTemporarily("Promo")]
            ), end: .temporary("Promo")),
    ]

    @Test("does what the tables say", arguments: Self.beginnings + Self.platform + Self.providers + Self.passes)
    private func run(_ run: Run) {
        var flow = Flow()
        for (event, actions) in run.steps { #expect(flow.handle(event) == actions) }
        #expect(flow.state == run.end && flow.isRunning == (run.end != .idle))
    }

    @Test(
        "shows the picker with the code that says why the platform cannot be used, or how its dialog was left",
        arguments: [
            ([], .left(reported), reported), ([.accessGranted], .left(reported), reported),
            ([.accessGranted], .cancelled, cancelled),
        ] as [([Flow.Event], Flow.PlatformEnd, AdvancedStatus)])
    private func noPlatform(before: [Flow.Event], end: Flow.PlatformEnd, code: AdvancedStatus) {
        var flow = flow(withPlatform)
        for event in before { _ = flow.handle(event) }
        #expect(flow.handle(.platform(end)) == [.showPicker(code)])
        #expect(flow.state == .awaitingProvider)
    }

    @Test func `ends with the error of a token that cannot be had, wherever one is waited for`() {
        let code = INTERNAL_AUTHENTICATION_ERROR
        let waiting = [
            flow(situation(), .providerSelected(.regular)),
            flow(situation(), .providerSelected(.regular), .codeObtained),
            flow(situation(.userAgent), .providerSelected(.regular), .codeObtained),
            flow(situation(.userAgent), .providerSelected(.regular), .codeObtained, .navigationEnded),
            flow(situation(), .providerSelected(.pass)),
            flow(situation(), .providerSelected(.regular), .codeObtained, .token),
        ]
        for var flow in waiting {
            #expect(flow.handle(.failed(code: code)) == [.finish(.failure(code: code))])
            #expect(!flow.isRunning)
        }
    }
}
