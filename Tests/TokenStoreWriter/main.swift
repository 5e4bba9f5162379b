// Commits tokens to a store on behalf of a test that kills this process.
//
// Usage: TokenStoreWriter FILE FIRST
//
// The tokens are numbered from FIRST on, without end. Prints the number of each once it is committed.
import AccessEnabler
import Glibc

/// One line, written at once and straight to the pipe: what was printed before a kill is not lost in a buffer.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2, var number = Int(arguments[1]) else { exit(64) }
let vault = TokenVault(store: PrivateFileStore(path: arguments[0]))
do {
    while true {
        let token = StoreImage.Authentication(
            xml: "<token>\(number)</token>", expires: .max, deviceScope: "com.example", boundDeviceID: "d",
            origin: .regular, stored: Int64(number))
        // A few places, so that the file stays as small as a box has it.
        let place = "mvpd-\(number % 16)"
        try await vault.update { $0[requestor: "WRITER", mvpd: place].authn = token }
        say("\(number)")
        number += 1
    }
} catch {
    say("\(error)")
    exit(1)
}
