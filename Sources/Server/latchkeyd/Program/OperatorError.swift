package import CommandLineTool

/// Something an operator has to put right: what is wrong, what to do about it, and how the program ends.
package struct OperatorError: Error, Hashable, CustomStringConvertible {
    package let sentence: String
    /// The advice, as a sentence; `nil` if the first one says it.
    package let advice: String?
    package let exitCode: ExitCode

    package init(_ sentence: String, advice: String? = nil, exitCode: ExitCode = .failure) {
        self.sentence = sentence
        self.advice = advice
        self.exitCode = exitCode
    }

    /// The same with the place that it is about in front.
    func at(_ place: String) -> OperatorError {
        OperatorError("\(place): \(self.sentence)", advice: self.advice, exitCode: self.exitCode)
    }

    /// The sentence of what `body` throws; empty if it does not.
    static func sentences(of body: () throws(OperatorError) -> Void) -> [String] {
        do throws(OperatorError) {
            try body()
            return []
        } catch {
            return [error.sentence]
        }
    }

    package var description: String { self.advice.map { "\(self.sentence)\n\($0)" } ?? self.sentence }
}
