/// The common ground of all parts of one domain.
final class DomainParts: Sendable {
    let store: any Store
    let catalogue: LiveCatalogue
    let keys: ServerKeys
    let limits: Entitlements.Limits
    let uptime: Uptime
    let report: @Sendable (DomainNotice) -> Void
    /// Is told what ends, once the store has it.
    let onEnding: @Sendable (Ending) -> Void
    let nodes = LivingNodes()
    let agreement = ClockAgreement()
    let memory: LiveMemory
    /// The way to providers, for what their sign-ins say.
    let providers: ProviderAccess
    /// The way to those that decide elsewhere than at their sign-ins.
    let decisionPoints: ProviderAccess

    init(
        catalogue: LiveCatalogue, store: any Store, keys: ServerKeys,
        limits: Entitlements.Limits = Entitlements.Limits(), uptime: @escaping Uptime,
        report: @escaping @Sendable (DomainNotice) -> Void = { _ in }, onEnding: @escaping @Sendable (Ending) -> Void
    ) {
        self.store = store
        self.catalogue = catalogue
        self.keys = keys
        self.limits = limits
        self.uptime = uptime
        self.report = report
        self.onEnding = onEnding
        self.memory = LiveMemory(
            bound: limits.remembered, waitingRoom: WaitingRoom(bound: limits.waiting, uptime: uptime),
            isShared: store.isShared)
        func access(_ part: ProviderPart) -> ProviderAccess {
            ProviderAccess(
                part: part, catalogue: catalogue, time: limits.providerTime,
                health: ProviderHealth(limits.providerHealth), uptime: uptime, report: report)
        }
        (self.providers, self.decisionPoints) = (access(.signIns), access(.decisions))
    }
}

protocol DomainPart: Sendable {
    var parts: DomainParts { get }
}

extension DomainPart {
    var store: any Store { self.parts.store }
    var catalogue: LiveCatalogue { self.parts.catalogue }
    var keys: ServerKeys { self.parts.keys }
    var uptime: Uptime { self.parts.uptime }
    var report: @Sendable (DomainNotice) -> Void { self.parts.report }
    var onEnding: @Sendable (Ending) -> Void { self.parts.onEnding }
    var memory: LiveMemory { self.parts.memory }
    var agreement: ClockAgreement { self.parts.agreement }
    var providers: ProviderAccess { self.parts.providers }

    /// Has `body` look at the selected sign-ins in the order of their IDs, `size` at a time.
    /// - Throws: `storeUnavailable`; what `body` throws.
    func visit(
        _ selection: AuthNSelection, by size: Int, _ body: ([AuthNRecord]) async throws(EntitlementError) -> Void
    ) async throws(EntitlementError) {
        var last: AuthNID?
        repeat {
            let page = try await stored(await self.store.authentications(selection, after: last, limit: size))
            try await body(page)
            last = page.count == size ? page.last?.id : nil
        } while last != nil
    }
}
