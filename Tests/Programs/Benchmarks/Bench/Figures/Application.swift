import Glibc
import RealPrograms
import TestSupport

/// The library in an application: what asking "is somebody signed in?" costs, and what waiting for a phone does.
struct Application: Measurement {
    let figures = [
        Figure(
            name: "check-authentication", unit: "us", goal: .atMost(50),
            meaning: "one authenticationStatus() with a stored sign-in, no server running and none asked; median"),
        Figure(
            name: "sample-memory", unit: "MB", goal: .atMost(14),
            meaning: "resident memory of the sample application two seconds into its wait, the most of all runs"),
    ]

    func run(in surroundings: Surroundings) async throws -> [Double] {
        let folder = "\(surroundings.folder)/application"
        let server = try await BenchServer.start(surroundings, in: "\(folder)/server", onOneProcessor: false)
        return try await ending({ await server.stop() }) {
            var memory = 0
            for run in 0..<surroundings.amount(5, rehearsal: 1) {
                memory = max(memory, try await self.waitingMemory(surroundings, server, state: "\(folder)/\(run)"))
            }
            let sample = try RunningSample(server.running.demo, surroundings.programs, state: "\(folder)/signed-in")
            try await sample.signIn(as: server.running.demo.viewer)
            try await sample.event("token")
            _ = await sample.end()
            let time = try await self.checkTime(surroundings, server, state: "\(folder)/signed-in")
            return [time, Double(memory) / 1_048_576]
        }
    }

    /// In microseconds. Stops the server.
    private func checkTime(_ surroundings: Surroundings, _ server: BenchServer, state: String) async throws -> Double {
        let pipe = "\(state)/start"
        guard unsafe mkfifo(pipe, 0o600) == 0 else { throw NotMeasured(description: "no pipe: error \(errno)") }
        let sample = try RunningSample(
            server.running.demo, surroundings.programs, state: state,
            ["--measure-check=\(surroundings.amount(201, rehearsal: 3)),\(pipe)"])
        try await sample.event("configured")
        await server.stop()
        // Whoever asked the server from now on would be heard here: its connections ended with it.
        let watch = try FreePort.bound(to: UInt16(server.running.port), takingOver: true)
        defer { close(watch.descriptor) }
        // To read and write: then opening it waits for nobody.
        let start = unsafe open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(start) }
        let measured = try await sample.event("measured")
        var listening = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&listening, 1, 0) == 0 else { throw NotMeasured(description: "the check asked the server") }
        guard let time = measured["microseconds"]?.text.flatMap({ Double($0) }) else {
            throw NotMeasured(description: "the sample measured nothing: \(measured)")
        }
        return time
    }

    private func waitingMemory(_ surroundings: Surroundings, _ server: BenchServer, state: String) async throws -> Int {
        let sample = try RunningSample(server.running.demo, surroundings.programs, state: state)
        try await sample.event("registrationCode")
        try await server.running.waitUntilHeld(1)
        try await Task.sleep(for: .seconds(2))
        let memory = try ProcessFacts.residentMemory(of: sample.pid)
        await sample.kill()
        try await eventually("released request") {
            try await server.running.metric("http_held_requests") == 0 ? () : nil
        }
        return memory
    }
}
