import Glibc

/// A parser that strangers reach, and what must hold of it for any input.
struct FuzzTarget: Sendable {
    let name: String
    /// Reads the input. What must not be ends the process by a precondition.
    let run: @Sendable (_ input: [UInt8]) -> Void

    /// Every target, by its name in `deploy/check/fuzz`.
    static let all: [FuzzTarget] = [
        .requestPath, .parameters, .jsonParameters, .signedHeader, .webToken, .deviceInformation, .xml, .tokenDocument,
        .mediaToken, .page, .configuration, .storeImage, .table, .headers, .samlResponse, .resources, .agent,
        .discovery, .keySet, .idToken, .tokenAnswer, .mapping, .decisions, .samlMetadata, .samlLogout, .samlWork,
        .passkey, .authenticatorData,
    ]

    init(_ name: String, _ run: @escaping @Sendable (_ input: [UInt8]) -> Void) {
        self.name = name
        self.run = run
    }

    /// The input as a text; what is no UTF-8 is repaired, as it is for headers.
    static func text(_ input: [UInt8]) -> String { String(decoding: input, as: UTF8.self) }

    /// The input in parts, divided by NUL bytes: the first ones for what stands before, the last for the rest.
    static func parts(_ input: [UInt8], _ count: Int) -> [[UInt8]] {
        var parts = input.split(separator: 0, maxSplits: count - 1, omittingEmptySubsequences: false).map(Array.init)
        while parts.count < count { parts.append([]) }
        return parts
    }
}

/// The target of this run, named by the variable `FUZZ_TARGET`.
private let target: FuzzTarget = {
    let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        print("FUZZ_TARGET must be one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
        exit(64)
    }
    return target
}()

/// What libFuzzer calls with every input it makes.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
