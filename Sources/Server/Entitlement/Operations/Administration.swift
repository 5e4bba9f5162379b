/// The door to the domain for a program beside the server, such as an operator's command.
///
/// It asks no provider and answers no poll: a running server follows what is changed here.
package struct Administration: Sendable {
    package let keys: ServerKeys
    package let credentials: Credentials
    package let setUpCodes: SetUpCodes
    package let accounts: Accounts
    package let degradations: DegradationRules
    package let trials: Trials
    package let operations: Operations
    package let explanations: Explanations
    package let reports: Reports
    package let resealing: Resealing

    /// - Parameter onEnding: is told what ends, once the store has it.
    package init(
        catalogue: Catalogue, store: any Store, keys: ServerKeys,
        onEnding: @escaping @Sendable (Ending) -> Void = { _ in }
    ) {
        let catalogue = LiveCatalogue(withoutProviders: catalogue)
        // No poll is held and no provider asked: neither time ever passes.
        let memory = LiveMemory(
            bound: 1, waitingRoom: WaitingRoom(bound: 0, uptime: { .zero }), isShared: store.isShared)
        let degradations = DegradationRules(store: store, catalogue: catalogue)
        let providers = ProviderAccess(
            part: .signIns, catalogue: catalogue, time: .zero, health: ProviderHealth(ProviderHealth.Settings()),
            uptime: { .zero },
            report: { _ in })
        let signIns = SignIns(
            store: store, catalogue: catalogue, keys: keys, memory: memory, degradations: degradations,
            providers: providers, platform: nil, signer: nil)
        self.keys = keys
        self.credentials = Credentials(
            store: store, keys: keys, uptime: { .zero }, report: { _ in }, onEnding: onEnding,
            registrations: RegistrationLimits(Entitlements.Limits()))
        self.setUpCodes = SetUpCodes(
            store: store, keys: keys, credentials: self.credentials, guessing: Guessing { _ in }, uptime: { .zero },
            report: { _ in })
        self.accounts = Accounts(store: store)
        self.degradations = degradations
        let trials = Trials(store: store, catalogue: catalogue, keys: keys, signIns: signIns)
        self.trials = trials
        self.operations = Operations(
            store: store, keys: keys, memory: memory, providers: providers, signIns: signIns, onEnding: onEnding)
        self.reports = Reports(store: store)
        self.explanations = Explanations(
            store: store, catalogue: catalogue, signIns: signIns, degradations: degradations, trials: trials,
            credentials: self.credentials)
        self.resealing = Resealing(store, keys: keys)
    }
}
