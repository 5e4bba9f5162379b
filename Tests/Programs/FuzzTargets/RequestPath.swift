import HTTPServer

extension FuzzTarget {
    /// The target of a request line, and the router's way through it.
    static let requestPath = FuzzTarget("request-path") { input in
        let request = HTTPRequest(method: .get, target: text(input))
        _ = (request.path, request.query.pairs)
    }

    /// A query or a form.
    static let parameters = FuzzTarget("parameters") { input in
        let halves = parts(input, 2).map { HTTPParameters(text($0)) }
        let joined = halves[0].overridden(by: halves[1])
        for parameters in halves + [joined] {
            let pairs = parameters.pairs
            // Looking up costs as much as there are pairs.
            for pair in pairs.prefix(32) {
                precondition(parameters[pair.name] != nil, "a pair is found by its name")
                precondition(!parameters.all(pair.name).isEmpty, "and among all of its name")
            }
            let names = Set(pairs.map(\.name))
            precondition(parameters.hasRepeatedName == (names.count < pairs.count), "names that repeat are told")
        }
    }
}
