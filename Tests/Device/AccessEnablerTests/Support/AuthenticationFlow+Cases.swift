@testable import AccessEnabler

extension AuthenticationFlow.Provider {
    static let regular = Self(id: "CableNova", isImmediate: false, needsData: false)
    static let other = Self(id: "SatOne", isImmediate: false, needsData: false)
    /// A basic TempPass.
    static let pass = Self(id: "DayPass", isImmediate: true, needsData: false)
    static let promotional = Self(id: "Promo", isImmediate: true, needsData: true)
}

func flow(_ events: AuthenticationFlow.Event...) -> AuthenticationFlow {
    var flow = AuthenticationFlow()
    for event in events { _ = flow.handle(event) }
    return flow
}

func situation(
    _ way: AuthenticationFlow.Way = .secondScreen, _ change: (inout AuthenticationFlow.Situation) -> Void = { _ in }
) -> AuthenticationFlow.Event {
    var situation = AuthenticationFlow.Situation(way: way)
    change(&situation)
    return .begin(situation)
}
