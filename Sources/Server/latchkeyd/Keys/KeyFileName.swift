/// How key files are called: what the key is for, a number that counts up with each rotation, and an ending.
struct KeyFileName: Sendable {
    let use: String
    let ending: String

    /// The name of the `number`th key's file.
    func text(_ number: Int) -> String { "\(self.use)-\(number).\(self.ending)" }

    /// The number in a file's name.
    /// - Returns: `nil` for files of other uses and anything else.
    func number(in name: String) -> Int? {
        guard name.hasPrefix(self.use + "-"), name.hasSuffix("." + self.ending) else { return nil }
        let digits = name.dropFirst(self.use.utf8.count + 1).dropLast(self.ending.utf8.count + 1)
        guard (1...6).contains(digits.utf8.count), digits.first != "0",
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(digits)
    }
}
