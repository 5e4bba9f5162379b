// Commits tokens to a store on behalf of a test that kills this process, or runs it as another user.
//
// Usage: TokenStoreWriter FILE FIRST
//        TokenStoreWriter --group GROUP FOLDER NUMBER
//
// The tokens are numbered from FIRST on, without end; of a Unix group's store one is written. Prints the number of each
// once it is committed.
import AccessEnabler
import Clientless
import Glibc

/// One line, written at once and straight to the pipe: what was printed before a kill is not lost in a buffer.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

func write(_ number: Int, to vault: TokenVault, scope: String) async throws {
    let token = StoreImage.Authentication(
        xml: "<token>\(number)</token>", expires: .max, deviceScope: scope, boundDeviceID: "d", origin: .regular,
        stored: Int64(number))
    // A few places, so that the file stays as small as a box has it.
    let place = "mvpd-\(number % 16)"
    try await vault.update { $0[requestor: "WRITER", mvpd: place].authn = token }
    say("\(number)")
}

func words(_ error: any Error) -> String { (error as? EntitlementError)?.detail ?? "\(error)" }

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch arguments.count {
    case 2:
        guard var number = Int(arguments[1]) else { exit(64) }
        let vault = TokenVault(
            store: AccessEnabler.PrivateFileStore(path: arguments[0]), scope: "com.example",
            now: { Timestamp(milliseconds: 0) })
        while true {
            do {
                try await write(number, to: vault, scope: "com.example")
                number += 1
            } catch {
                // A disk that is busy makes the other program hold the lock for longer than a box waits.
                guard words(error).contains("another program holds it") else { throw error }
            }
        }
    case 4:
        guard arguments[0] == "--group", let number = Int(arguments[3]) else { exit(64) }
        let group = AccessEnabler.VendorGroup(identifier: "vendor", deviceScope: "vendor", unixGroup: arguments[1])
        let vault = TokenVault(
            store: AccessEnabler.VendorGroupStore(group: group, folder: arguments[2]), scope: "vendor",
            now: { Timestamp(milliseconds: 0) })
        try await write(number, to: vault, scope: "vendor")
    default: exit(64)
    }
} catch {
    say(words(error))
    exit(1)
}
