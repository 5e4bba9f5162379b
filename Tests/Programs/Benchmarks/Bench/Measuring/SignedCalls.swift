import FoundationEssentials

/// Calls of many boxes, signed beforehand, as files for the load generator.
///
/// Every call has a nonce and an address of its own, as calls of different boxes behind a proxy do; so the throttle, the
/// limit on codes and the memory of nonces work as they do in service.
struct SignedCalls: Sendable {
    let server: BenchServer

    /// Different headers the calls rotate through, at least.
    static let minimumNumber = 1000

    /// Calls that poll `paths` in turn, at least ``minimumNumber`` of them.
    /// - Parameter signedURI: what is signed for a path.
    func polls(_ paths: [String], signing signedURI: (String) -> String) -> [RotatingCalls.Call] {
        return (0..<max((Self.minimumNumber + paths.count - 1) / paths.count, 1)).flatMap { _ in
            paths.map { path in
                RotatingCalls.Call(
                    path: path,
                    authorization: self.server.authorization("GET", signedURI(path), nonce: "\(UUID())"))
            }
        }
    }

    /// Writes a script that creates a code for a new box with every request, each in a network of its own until there
    /// are 65,536.
    ///
    /// - Parameters:
    ///   - run: part of the device IDs, so that two runs name different boxes.
    ///   - collected: how many answers' bodies to keep in which file, a line each; then the load generator ends.
    ///     `nil` keeps none and leaves the end to its clock.
    func creationScript(
        run: String, collecting collected: (count: Int, file: String)? = nil, in folder: String
    ) throws -> String {
        let path = self.server.creationPath
        let lines = (0..<Self.minimumNumber).map { _ in self.server.authorization("POST", path, nonce: "\(UUID())") }
        // The hook for answers costs the load generator time, so it is there only when somebody wants them.
        let hook =
            collected.map { count, file in
                """
                local answers, count = assert(io.open("\(file)", "w")), 0
                function response(status, headers, body)
                    if status == 201 then answers:write(body, "\\n") end
                    count = count + 1
                    if count == \(count) then
                        answers:close()
                        -- Stopping the thread would leave the program asleep until its time is over.
                        os.exit(0)
                    end
                end
                """
            } ?? ""
        let script = """
            local heads, at = {}, 0
            function init()
                for authorization in io.lines("\(folder)/creations.tsv") do
                    local whole = wrk.format("POST", "\(path)", {
                        ["Accept"] = "application/json", ["Authorization"] = authorization,
                        ["X-Forwarded-For"] = "ADDRESS", ["X-Device-Info"] = "\(Self.deviceInfo)",
                        ["Content-Type"] = "application/x-www-form-urlencoded",
                    }, "deviceId=\(run)-00000000")
                    local head, tail = whole:gsub("%%", "%%%%"):match("^(.*)ADDRESS(.*)00000000$")
                    heads[#heads + 1] = head .. "10.%d.%d.%d" .. tail .. "%08d"
                end
            end
            function request()
                at = at + 1
                return string.format(heads[at % #heads + 1],
                    at % 256, math.floor(at / 256) % 256, math.floor(at / 65536) % 256, at)
            end
            \(hook)
            \(LoadGenerator.report)
            """
        return try LoadFiles.write(script, "creations", lines, in: folder)
    }

    /// What a small box tells of itself (rest-v1 5).
    private static let deviceInfo = Data(
        #"{"model":"Bench Box","osName":"Linux","osVersion":"6.1","primaryHardwareType":"SetTopBox"}"#.utf8
    ).base64EncodedString()
}
