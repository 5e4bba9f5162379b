import PostgresServer
import TestSupport

/// Three real servers on a PostgreSQL with a standby, their load, and what it was told.
struct NodeStage: Sendable {
    let pair: PostgresPair
    let fleet: NodeFleet
    let load: NodeLoad

    var ledger: FactLedger { self.load.ledger }
    var findings: NodeFindings { self.load.findings }

    private static let database = "latchkey"
    private static let workers = 6

    static func with(
        _ pair: PostgresPair? = nil, connection: ((String) -> String)? = nil, preparations: [Int: String] = [:],
        hosts: [Int: String] = [:], _ body: (NodeStage) async throws -> Void
    ) async throws {
        let pair = if let pair { pair } else { try await PostgresPair.start() }
        try await TestSupport.ending({ await pair.stop() }) {
            try await pair.makeDatabase(Self.database)
            let place = connection ?? { pair.connection(Self.database, as: $0) }
            let fleet = try await NodeFleet.start(
                3, connection: place(PostgresServer.server),
                owner: pair.connection(Self.database, as: PostgresServer.owner),
                preparations: preparations, hosts: hosts)
            try await Self.lend(fleet, on: pair, to: body)
        }
    }

    private static func lend(
        _ fleet: NodeFleet, on pair: PostgresPair, to body: (NodeStage) async throws -> Void
    ) async throws {
        let load = NodeLoad(fleet: fleet, ledger: FactLedger(), findings: NodeFindings())
        do {
            try await body(NodeStage(pair: pair, fleet: fleet, load: load))
        } catch {
            await fleet.stop()
            throw error
        }
        print("\(load.ledger.count) acknowledged operations; \(load.findings.summary)")
        await fleet.stop()
    }

    /// Lets everyone work, does `fault` after so many acknowledged answers, and stops the work when that has returned.
    /// - Returns: what `fault` does.
    @discardableResult
    func round<Value: Sendable>(
        _ number: Int, after answers: Int, _ fault: @Sendable () async throws -> Value
    ) async throws -> Value {
        self.ledger.beginRound(of: answers)
        let over = Flag()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<Self.workers {
                group.addTask {
                    try await self.ending(over) { try await self.load.work(as: worker, round: number, until: over) }
                }
            }
            group.addTask { try await self.ending(over) { try await self.load.watch(until: over, seed: number) } }
            let value: Value
            do {
                await self.ledger.waitForRound()
                // It says what a worker threw.
                if over.isUp { try await group.waitForAll() }
                value = try await fault()
                // It goes on by itself.
                await self.ledger.waitForMore(5)
            } catch {
                group.cancelAll()
                throw error
            }
            over.raise()
            try await group.waitForAll()
            return value
        }
    }

    /// Does a worker's share of a round. Where it throws, the round is over for all, and nobody waits for answers.
    private func ending(_ over: Flag, _ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            over.raise()
            self.ledger.giveUp()
            throw error
        }
    }

    /// Every promise that was broken since it was asked last, be it seen by the load or found now at any node.
    /// - Parameter rounds: how many rounds back the facts go that are looked at; all of them when `nil`.
    func broken(ofLast rounds: Int? = 1) async throws -> [String] {
        let found = try await self.unknownPromises(ofLast: rounds)
        return self.findings.takeBroken() + found
    }

    /// Every promise of the ledger that a node does not know now. What the load saw before is no part of it.
    func unknownPromises(ofLast rounds: Int?) async throws -> [String] {
        try await self.fleet.waitUntilReady()
        let ledger = self.ledger
        return try await self.fleet.violations(
            of: ledger.facts(ofLast: rounds),
            patience: { max(.zero, NodeLoad.staleness - (ledger.age(of: $0) ?? .zero)) }, noting: self.findings)
    }
}
