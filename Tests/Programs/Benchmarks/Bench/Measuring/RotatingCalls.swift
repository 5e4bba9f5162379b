/// `GET` calls of many boxes that the load generator goes through in turn, each from an address of its own.
struct RotatingCalls: Sendable {
    struct Call: Sendable {
        let path: String
        /// The whole header.
        let authorization: String
    }

    let calls: [Call]
    var accept = "application/json"

    /// Writes them as a script. - Returns: where it is.
    func script(in folder: String) throws -> String {
        let lines = self.calls.enumerated().map { number, call in
            "\(call.path)\t\(call.authorization)\t\(LoadFiles.address(number))"
        }
        let script = """
            local requests, at = {}, 0
            function init()
                for line in io.lines("\(folder)/calls.tsv") do
                    local path, authorization, address = line:match("^([^\\t]+)\\t([^\\t]+)\\t([^\\t]+)$")
                    requests[#requests + 1] = wrk.format("GET", path, {
                        ["Accept"] = "\(self.accept)", ["Authorization"] = authorization,
                        ["X-Forwarded-For"] = address,
                    })
                end
            end
            function request()
                at = at % #requests + 1
                return requests[at]
            end
            \(LoadGenerator.report)
            """
        return try LoadFiles.write(script, "calls", lines, in: folder)
    }
}
