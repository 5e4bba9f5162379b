/// The machine contract as `deploy/contracts/events.schema.json` says it, checked by Debian's `python3-jsonschema`.
package enum EventSchema {
    /// What is wrong with `lines`, one sentence a fault; empty when every line is an event of the contract.
    ///
    /// No line at all is a fault: a command with `--json` is never silent.
    package static func faults(in lines: String) async throws -> String {
        let folder = try TemporaryFolder()
        let path = try folder.write(lines, to: "events")
        let check = try await ChildProcess("python3", ["-W", "ignore", Self.script, "--strict", path]).run()
        return check.end == .exited(0) ? "" : check.output + check.talk
    }

    private static let script = ProjectFolder.file("deploy/check/check-events.py")
}
