/// Where the result of a call goes: once, to the caller that awaits it.
struct Reply<Result: Sendable>: Sendable {
    /// The number of the caller, by which its call is found again (``Mailbox/withdraw(_:)``).
    let caller: Int
    private let give: @Sendable (Result) -> Void

    init(caller: Int, _ give: @escaping @Sendable (Result) -> Void) {
        self.caller = caller
        self.give = give
    }

    func callAsFunction(_ result: Result) { self.give(result) }
}
