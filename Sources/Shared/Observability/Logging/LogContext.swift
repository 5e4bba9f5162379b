/// The work of the current task, such as a request. Each line that it writes tells it, whichever part of the program
/// writes the line.
package enum LogContext {
    /// The facts, gathered when a line is written and not before: most work writes none.
    typealias Facts = @Sendable () -> [MetadataKey: LogValue]

    @TaskLocal private static var present: Facts?

    /// The facts of the task at hand; none outside of ``with(_:_:)``.
    static var facts: [MetadataKey: LogValue] { self.present?() ?? [:] }

    /// Runs `work`, whose lines tell `facts` besides their own. A line's own fact of the same name counts.
    package static func with<Value: Sendable>(
        _ facts: @escaping @Sendable () -> [MetadataKey: LogValue], _ work: () async -> Value
    ) async -> Value {
        await self.$present.withValue(facts) { await work() }
    }
}
