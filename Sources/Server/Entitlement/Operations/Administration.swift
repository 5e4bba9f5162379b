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
    package let keyMark: KeyMark

    /// - Parameter onEnding: is told what ends, once the store has it.
    package init(
        catalogue: Catalogue, store: any Store, keys: ServerKeys,
        onEnding: @escaping @Sendable (Ending) -> Void = { _ in }
    ) {
        // No poll is held and no provider asked: no time passes.
        let parts = DomainParts(
            catalogue: LiveCatalogue(ConfiguredCatalogue(withoutProviders: catalogue)), store: store, keys: keys,
            uptime: { .zero }, onEnding: onEnding)
        self.keys = keys
        self.credentials = Credentials(parts)
        self.degradations = DegradationRules(store: store, catalogue: parts.catalogue)
        let signIns = SignIns(parts, degradations: self.degradations)
        self.setUpCodes = SetUpCodes(parts, credentials: self.credentials, guessing: Guessing { _ in })
        self.accounts = Accounts(store: store)
        self.trials = Trials(signIns: signIns, issuance: nil)
        self.operations = Operations(parts: parts, signIns: signIns)
        self.reports = Reports(store: store)
        self.explanations = Explanations(
            parts: parts, signIns: signIns, degradations: self.degradations, trials: self.trials,
            credentials: self.credentials)
        self.resealing = Resealing(parts: parts)
        self.keyMark = KeyMark(store, of: keys)
    }
}
