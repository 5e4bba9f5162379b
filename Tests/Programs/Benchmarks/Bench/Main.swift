import Glibc
import TestSupport

/// The program behind `deploy/bench`, which builds it and gives it what it needs.
@main
struct Main {
    private static let measurements: [any Measurement] = [
        SignedPolls(), FormsOfPolls(), TLS(), LiveCodes(), Creations(), MediaTokens(), Preauthorizations(),
        ConfirmToBox(), PageTime(), PageReady(),
        HeldMemory(), BoxStart(), BoxReturn(), AgentAtRest(), Herd(), Application(), StrangersRequest(),
        ProviderLogins(), ProviderStart(), PostgresCreations(), PostgresPolls(), PostgresConfirmation(),
        PostgresConnections(), PostgresManyCodes(), PostgresPromotion(),
    ]

    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let names = Set(arguments.filter { !$0.hasPrefix("--") })
        func value(_ option: String) -> String? {
            arguments.first { $0.hasPrefix("--\(option)=") }.map { String($0.dropFirst(option.count + 3)) }
        }
        if names == ["instructions"], let folder = value("folder"), let budgets = value("budgets") {
            exit(await Self.countInstructions(budgets, isAccepting: arguments.contains("--accept"), in: folder) ? 0 : 1)
        }
        let figures = Self.measurements.flatMap(\.figures)
        let unknown = names.subtracting(figures.map(\.name))
        guard unknown.isEmpty else {
            talk("There is no figure \(unknown.sorted().joined(separator: ", ")); --list names them all.")
            exit(64)
        }
        if arguments.contains("--list") {
            for figure in figures { result("\(figure.name)\t\(figure.goal.text) \(figure.unit)\t\(figure.meaning)") }
            return
        }
        guard let nginx = value("nginx"), let postgres = value("postgres"), let folder = value("folder") else {
            talk("usage: bench --nginx=FILE --postgres=DIR --folder=DIR [--smoke] [NAME…]; deploy/bench knows them")
            exit(64)
        }
        raiseFileLimit()
        let surroundings = Surroundings(
            programs: .own, nginx: nginx, postgres: postgres, folder: folder, isRehearsal: arguments.contains("--smoke")
        )
        exit(await Self.run(names, in: surroundings) ? 0 : 1)
    }

    private static func countInstructions(_ budgets: String, isAccepting: Bool, in folder: String) async -> Bool {
        let surroundings = Surroundings(programs: .own, nginx: "", postgres: "", folder: folder, isRehearsal: false)
        do {
            return try await Instructions(surroundings: surroundings, budgets: budgets, isAccepting: isAccepting).run()
        } catch {
            talk("The instructions could not be counted: \(error)")
            return false
        }
    }

    /// Measures, and prints each figure as soon as it is there.
    /// - Returns: whether every wanted figure could be measured, whatever it is.
    private static func run(_ names: Set<String>, in surroundings: Surroundings) async -> Bool {
        var isComplete = true
        for measurement in Self.measurements {
            let isWanted = measurement.figures.map { names.isEmpty || names.contains($0.name) }
            guard isWanted.contains(true) else { continue }
            talk("== \(measurement.figures.map(\.name).joined(separator: ", "))")
            do {
                let values = try await measurement.run(in: surroundings)
                for (index, figure) in measurement.figures.enumerated() where isWanted[index] {
                    result(figure.resultLine(values[index], isRehearsal: surroundings.isRehearsal))
                }
            } catch {
                talk("\(measurement.figures.map(\.name).joined(separator: ", ")): not measured: \(error)")
                isComplete = false
            }
        }
        return isComplete
    }
}
