import Glibc

/// Says what goes on, on standard error: standard output holds the results alone.
func talk(_ text: String) { write(text + "\n", to: 2) }

/// Writes a line of results at once, also when a pipe takes it.
func result(_ line: String) { write(line + "\n", to: 1) }

private func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return }
        rest = rest.dropFirst(max(count, 0))
    }
}
