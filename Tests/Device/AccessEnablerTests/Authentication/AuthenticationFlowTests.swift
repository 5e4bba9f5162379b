import AccessEnablerConstants
import Testing

@testable import AccessEnabler

private typealias Flow = AuthenticationFlow
private let generic = Flow.Action.finish(.failure(code: GENERIC_AUTHENTICATION_ERROR))
private let notSelected = Flow.Action.finish(.failure(code: PROVIDER_NOT_SELECTED_ERROR))
private let withPlatform = situation { $0.hasPlatform = true }

@Suite("The authentication flow")
struct AuthenticationFlowTests {
    // MARK: decide (9.4, D-09)

    @Test("shows the picker when nothing else is known")
    func picker() {
        var flow = Flow()
        #expect(flow.handle(situation()) == [.showPicker(nil)])
        #expect(flow.state == .awaitingProvider && flow.isRunning)
    }

    @Test("ends at once when there is no provider to pick")
    func noProviders() {
        var flow = Flow()
        #expect(
            flow.handle(situation { $0.hasProviders = false })
                == [.finish(.failure(code: PROVIDER_NOT_AVAILABLE_ERROR))])
        #expect(!flow.isRunning)
    }

    @Test("goes by pre-selection, platform, remembered provider, picker, in this order")
    func order() {
        var everything = Flow.Situation(way: .secondScreen)
        everything.preselected = .other
        everything.hasPlatform = true
        everything.remembered = .regular
        var flow = Flow()
        #expect(flow.handle(.begin(everything)) == [.requestCode("SatOne")])
        everything.preselected = nil
        flow = Flow()
        #expect(flow.handle(.begin(everything)) == [.askPlatformAccess])
        #expect(flow.state == .platformPermission)
        everything.hasPlatform = false
        flow = Flow()
        #expect(flow.handle(.begin(everything)) == [.requestCode("CableNova")])
        everything.remembered = nil
        flow = Flow()
        #expect(flow.handle(.begin(everything)) == [.showPicker(nil)])
    }

    @Test("asks for a code for any provider where the viewer picks on the second screen")
    func anyProvider() {
        var flow = Flow()
        let event = situation {
            $0.choosesOnSecondScreen = true
            $0.remembered = .regular
        }
        #expect(flow.handle(event) == [.requestCode(nil)])
        #expect(flow.handle(.codeObtained) == [.poll] && flow.state == .polling(nil))
    }

    // MARK: the platform

    @Test("asks the platform who is signed in once it may")
    func granted() {
        var flow = flow(withPlatform)
        #expect(flow.handle(.accessGranted) == [.queryPlatform])
        #expect(flow.state == .platformDialog)
    }

    @Test(
        "shows the picker with the code that says why the platform cannot be used",
        arguments: [
            (Flow.PlatformEnd.denied, AdvancedStatusCode.accessDenied), (.undetermined, .accessUndetermined),
            (.failed(message: "m"), .platformFailed("m")),
        ])
    private func noAccess(end: Flow.PlatformEnd, code: AdvancedStatusCode) {
        var flow = flow(withPlatform)
        #expect(flow.handle(.platform(end)) == [.showPicker(code)])
        #expect(flow.state == .awaitingProvider)
    }

    @Test(
        "shows the picker with the code that says how the platform's dialog was left",
        arguments: [
            (Flow.PlatformEnd.other, AdvancedStatusCode.otherProviders), (.unsupported, .unsupportedProvider),
            (.cancelled, .providerCancelled), (.failed(message: "m"), .platformFailed("m")),
        ])
    private func dialogLeft(end: Flow.PlatformEnd, code: AdvancedStatusCode) {
        var flow = flow(withPlatform, .accessGranted)
        #expect(flow.handle(.platform(end)) == [.showPicker(code)])
        #expect(flow.state == .awaitingProvider)
    }

    @Test("ends when the platform's dialog is cancelled and the policy is to abort")
    func dialogAborted() {
        var flow = flow(
            situation {
                $0.hasPlatform = true
                $0.cancelEnds = true
            }, .accessGranted)
        #expect(flow.handle(.platform(.cancelled)) == [.report(.providerCancelled), notSelected])
        #expect(!flow.isRunning)
    }

    @Test("exchanges the profile of a provider the platform signs in at, without a code")
    func exchange() {
        var flow = flow(withPlatform, .accessGranted)
        #expect(flow.handle(.platform(.account(.regular))) == [.exchangeProfile("CableNova")])
        #expect(flow.handle(.token) == [.store])
        #expect(flow.handle(.stored) == [.finish(.success)])
        #expect(!flow.isRunning)
    }

    @Test("signs in the regular way at a provider the platform only lists")
    func listed() {
        var flow = flow(withPlatform, .accessGranted)
        #expect(flow.handle(.platform(.picked(.regular))) == [.trackSelection("CableNova"), .requestCode("CableNova")])
        #expect(flow.state == .starting("CableNova"))
    }

    @Test("shows the picker when the profile cannot be had, or is refused")
    func exchangeFailed() {
        var flow = flow(withPlatform, .accessGranted, .platform(.account(.regular)))
        var second = flow
        #expect(flow.handle(.exchangeRefused) == [.showPicker(.exchangeRefused)])
        #expect(second.handle(.platform(.failed(message: "m"))) == [.showPicker(.platformFailed("m"))])
        #expect(flow.state == .awaitingProvider && second.state == .awaitingProvider)
    }

    // MARK: a provider is known

    @Test("asks for a code once a provider is chosen, and polls with it")
    func secondScreen() {
        var flow = flow(situation())
        #expect(flow.handle(.providerSelected(.regular)) == [.requestCode("CableNova")])
        #expect(flow.state == .starting("CableNova"))
        #expect(flow.handle(.codeObtained) == [.poll])
        #expect(flow.state == .polling("CableNova"))
        #expect(flow.handle(.token) == [.store])
        #expect(flow.state == .storing("CableNova"))
        #expect(flow.handle(.stored) == [.finish(.success)])
        #expect(flow.state == .idle)
    }

    @Test("navigates in a browser, and retrieves the token when the navigation ended")
    func userAgent() {
        var flow = flow(situation(.userAgent), .providerSelected(.regular))
        #expect(flow.handle(.codeObtained) == [.navigate])
        #expect(flow.state == .navigating("CableNova"))
        #expect(flow.handle(.navigationEnded) == [.retrieve])
        #expect(flow.state == .retrieving("CableNova"))
        #expect(flow.handle(.token) == [.store])
        #expect(flow.handle(.stored) == [.finish(.success)])
    }

    @Test("ends with the generic error when there is no code")
    func noCode() {
        var flow = flow(situation(), .providerSelected(.regular))
        #expect(flow.handle(.codeUnavailable) == [.report(.codeUnavailable), generic])
        #expect(!flow.isRunning)
    }

    @Test("ends with the generic error when the code is over")
    func codeOver() {
        var flow = flow(situation(), .providerSelected(.regular), .codeObtained)
        #expect(flow.handle(.codeOver) == [.report(.codeOver), generic])
        #expect(!flow.isRunning)
    }

    @Test("ends with the error of a token that cannot be had, wherever one is waited for")
    func failures() {
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

    // MARK: passes

    @Test("signs in on the spot at a pass that is chosen outside a flow")
    func passOutside() {
        var flow = Flow()
        #expect(flow.handle(.passChosen(.pass, .secondScreen)) == [.authenticateTemporarily("DayPass")])
        #expect(flow.state == .temporary("DayPass"))
        #expect(flow.handle(.token) == [.store])
        #expect(flow.handle(.stored) == [.finish(.success)])
    }

    @Test("signs in without the viewer at a pass, or at a provider that is bypassed, that is chosen in a flow")
    func passInside() {
        var flow = flow(situation(.userAgent))
        #expect(flow.handle(.providerSelected(.pass)) == [.authenticateTemporarily("DayPass")])
        #expect(flow.state == .temporary("DayPass"))
    }

    @Test("refuses a promotional pass without data, and takes it with them")
    func promotionalPass() {
        var without = flow(situation())
        #expect(without.handle(.providerSelected(.promotional)) == [generic])
        #expect(!without.isRunning)
        var with = flow(situation { $0.hasData = true })
        #expect(with.handle(.providerSelected(.promotional)) == [.authenticateTemporarily("Promo")])
        var preselected = Flow()
        let event = situation {
            $0.preselected = .promotional
            $0.hasData = true
        }
        #expect(preselected.handle(event) == [.authenticateTemporarily("Promo")])
    }
}
