// Writes to a store on behalf of a test that kills this process, fills its disk or shares its file.
//
// Usage: StoreCrashWriter write FILE SEED | share CONNECTION SEED | fill FILE BYTES | open FILE USER | accounts FILE COUNT
//
// Prints one line for each thing the store promised, only after it did.
import Entitlement
import Glibc
import Stores

/// One line, written at once and straight to the pipe: what was printed before a kill is not lost in a buffer.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3 else { exit(64) }
let (mode, file, parameter) = (arguments[0], arguments[1], arguments[2])

do throws(StoreError) {
    switch mode {
    case "write":
        let store = try await SQLiteStore.open(file)
        await CodeWriter(seed: UInt64(parameter) ?? 0).run(on: store)
    case "share":
        let store = try await PostgresStore.open(PostgresStore.Options(connection: file))
        await CodeWriter(seed: UInt64(parameter) ?? 0).run(on: store)
    case "fill": try await DiskFiller(limit: UInt64(parameter) ?? 0).run(file)
    case "accounts": try await AccountWriter(count: Int(parameter) ?? 0).run(file)
    case "open":
        // Root may write everywhere; a test of permissions needs somebody else.
        if geteuid() == 0, let user = UInt32(parameter) { guard setgid(user) == 0, setuid(user) == 0 else { exit(70) } }
        try await SQLiteStore.open(file).close()
        say("opened")
    default: exit(64)
    }
} catch {
    say("\(error.code)")
}
