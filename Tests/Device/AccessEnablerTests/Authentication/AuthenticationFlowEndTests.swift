import AccessEnablerConstants
import Testing

@testable import AccessEnabler

private typealias Flow = AuthenticationFlow
private let notSelected = Flow.Action.finish(.failure(code: PROVIDER_NOT_SELECTED_ERROR))
private let cancelled = AdvancedStatus("N005", .info)
private let withPlatform = situation { $0.hasPlatform = true }

@Suite("Any run of the authentication flow")
struct AuthenticationFlowEndTests {
    /// A flow in each state but idle.
    private static let running: [Flow] = [
        flow(withPlatform),
        flow(withPlatform, .accessGranted),
        flow(withPlatform, .accessGranted, .platform(.account(.regular))),
        flow(situation()),
        flow(situation(), .providerSelected(.regular)),
        flow(situation(.userAgent), .providerSelected(.regular), .codeObtained),
        flow(situation(), .providerSelected(.regular), .codeObtained),
        flow(situation(.userAgent), .providerSelected(.regular), .codeObtained, .navigationEnded),
        flow(situation(), .providerSelected(.pass)),
        flow(situation(), .providerSelected(.regular), .codeObtained, .token),
    ]

    @Test func `ends with N005 when the choice is cancelled, in every state but idle`() {
        for var flow in Self.running {
            let isStoring = flow.state == .storing("CableNova")
            #expect(
                flow.handle(.providerCancelled)
                    == (isStoring ? [.takeBack] : []) + [.report(cancelled), notSelected])
            #expect(flow.state == .idle)
        }
        var idle = Flow()
        #expect(idle.handle(.providerCancelled).isEmpty)
    }

    @Test func `ends without a report of its own when somebody logs out, in every state but idle`() {
        for var flow in Self.running {
            #expect(flow.handle(.logout) == [.abandon])
            #expect(flow.state == .idle)
        }
        var idle = Flow()
        #expect(idle.handle(.logout).isEmpty)
    }

    @Test("ends when another requestor is named, and when an unknown provider is chosen, in every state but idle")
    func ended() {
        for flow in Self.running {
            let isStoring = flow.state == .storing("CableNova")
            var (changed, unknown) = (flow, flow)
            #expect(changed.handle(.requestorChanged) == (isStoring ? [.takeBack] : []) + [notSelected])
            #expect(
                unknown.handle(.providerUnknown)
                    == (isStoring ? [.takeBack] : []) + [.finish(.failure(code: PROVIDER_NOT_AVAILABLE_ERROR))])
            #expect(changed.state == .idle && unknown.state == .idle)
        }
        var idle = Flow()
        #expect(idle.handle(.requestorChanged).isEmpty && idle.handle(.providerUnknown).isEmpty)
    }

    @Test func `starts anew with another provider, as another attempt, in every state but idle`() {
        for var flow in Self.running {
            let (attempt, isStoring) = (flow.attempt, flow.state == .storing("CableNova"))
            #expect(flow.handle(.providerSelected(.other)) == (isStoring ? [.takeBack] : []) + [.requestCode("SatOne")])
            #expect(flow.state == .starting("SatOne") && flow.attempt != attempt)
        }
        var idle = Flow()
        #expect(idle.handle(.providerSelected(.other)).isEmpty && idle.state == .idle)
    }

    @Test func `is not begun twice`() {
        for var flow in Self.running {
            let state = flow.state
            #expect(flow.handle(situation()).isEmpty && flow.handle(.passChosen(.pass, .userAgent)).isEmpty)
            #expect(flow.state == state)
        }
    }
}
