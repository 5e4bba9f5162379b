// swift-tools-version: 6.2
import PackageDescription

/// The settings every target shares: Swift 6, explicit imports, warnings as errors, `unsafe` only where it is written.
let sharedSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
]

/// The commit that `--version` names. A build for others sets `LATCHKEY_COMMIT`; every module is then compiled anew, which
/// is nothing for daily work.
let commit = Context.environment["LATCHKEY_COMMIT"] ?? ""
let isCommit = (7...40).contains(commit.utf8.count) && commit.allSatisfy { $0.isHexDigit }
let commitSettings: [SwiftSetting] = isCommit ? [.unsafeFlags(["-Xcc", "-DLATCHKEY_COMMIT=\(commit)"])] : []
let settings = sharedSettings + commitSettings

/// A system library of the distribution: a module map and a `shim.h`, nothing else.
func cLibrary(_ name: String, apt package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/CLibraries/\(name)", providers: [.apt([package])])
}

/// A library target in one of the groups of `Sources/`.
func library(
    _ group: String, _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(group)/\(name)", resources: resources,
        swiftSettings: settings)
}

/// A program in one of the groups of `Sources/`.
func program(
    _ group: String, _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(group)/\(name)", resources: resources,
        swiftSettings: settings)
}

/// The tests of one target, or of one subject that crosses several.
func tests(
    _ group: String, _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(group)/\(name)", exclude: exclude, resources: resources,
        swiftSettings: settings)
}

let package = Package(
    name: "latchkey",
    products: [
        .executable(name: "latchkeyd", targets: ["latchkeyd"]),
        .executable(name: "latchkey", targets: ["latchkey"]),
        .library(name: "AccessEnabler", targets: ["AccessEnabler"]),
        .library(name: "AccessEnablerConstants", targets: ["AccessEnablerConstants"]),
        .library(name: "AccessEnablerTesting", targets: ["AccessEnablerTesting"]),
        .library(name: "MediaTokenVerifier", targets: ["MediaTokenVerifier"]),
        // Not shipped: tests start the programs with it, and it has to be a file of its own for that.
        .library(name: "SettableClock", type: .dynamic, targets: ["SettableClock"]),
    ],
    targets: [
        // CLibraries
        cLibrary("CCjose", apt: "libcjose-dev"),
        cLibrary("CCrypt", apt: "libcrypt-dev"),
        cLibrary("CCurl", apt: "libcurl4-openssl-dev"),
        cLibrary("CLasso", apt: "liblasso3"),
        .systemLibrary(name: "CLinux", path: "Sources/CLibraries/CLinux"),
        cLibrary("CMaxMindDB", apt: "libmaxminddb-dev"),
        cLibrary("CMicrohttpd", apt: "libmicrohttpd-dev"),
        cLibrary("COpenSSL", apt: "libssl-dev"),
        cLibrary("CPCRE2", apt: "libpcre2-dev"),
        cLibrary("CPostgres", apt: "libpq-dev"),
        cLibrary("CQRencode", apt: "libqrencode-dev"),
        cLibrary("CSQLite", apt: "libsqlite3-dev"),
        cLibrary("CZlib", apt: "zlib1g-dev"),

        // Shared
        library("Shared", "Clientless", ["Cryptography", "TextCoding"]),
        library("Shared", "Compression", ["CZlib"]),
        library("Shared", "Cryptography", ["COpenSSL"]),
        library("Shared", "HTTPClient", ["CCurl", "POSIX"]),
        library(
            "Shared", "HTTPServer",
            ["CMicrohttpd", "Cryptography", "Lifecycle", "Observability", "POSIX", "TextCoding"]),
        library("Shared", "Observability", ["POSIX", "TextCoding"]),
        library("Shared", "POSIX", ["CLinux"]),
        library("Shared", "Phrases"),
        library("Shared", "Lifecycle", ["Observability", "POSIX"]),
        library("Shared", "CommandLineTool", ["POSIX", "TextCoding"]),
        library("Shared", "TextCoding"),

        // Server
        library("Server", "Entitlement", ["Clientless", "Cryptography", "TextCoding"]),
        library(
            "Server", "OpenIDConnect",
            ["Clientless", "Cryptography", "HTTPClient", "Lifecycle", "TextCoding", "CCjose"]),
        library("Server", "ClaimsMapping", ["Clientless", "Cryptography", "Entitlement", "CPCRE2"]),
        library(
            "Server", "Providers",
            [
                "ClaimsMapping", "Clientless", "Cryptography", "Entitlement", "HTTPClient", "OpenIDConnect",
                "TextCoding", "CCrypt", "CLasso",
            ]),
        library("Server", "Places", ["HTTPServer", "POSIX", "CMaxMindDB"]),
        library("Server", "Stores", ["Clientless", "Entitlement", "POSIX", "CPostgres", "CSQLite"]),
        library(
            "Server", "ServerAPI",
            [
                "Clientless", "Compression", "Cryptography", "Entitlement", "HTTPServer", "Observability", "Phrases",
                "Places", "TextCoding", "WebPages",
            ], resources: [.embedInCode("OpenAPI/examples.http")]),
        program(
            "Server", "latchkeyd",
            [
                "ClaimsMapping", "Clientless", "CommandLineTool", "Cryptography", "Entitlement", "HTTPClient",
                "HTTPServer", "Lifecycle", "MediaTokenVerifier", "Observability", "OpenIDConnect", "POSIX", "Places",
                "Providers", "ServerAPI", "Stores", "TerminalQR", "TextCoding",
            ]),
        .target(
            name: "WebPages", path: "web", exclude: ["README.md"],
            resources: [
                .embedInCode("pages"), .embedInCode("assets"), .embedInCode("locales"), .embedInCode("console"),
            ],
            swiftSettings: settings),

        // Device
        library(
            "Device", "AccessEnabler",
            ["Clientless", "Cryptography", "HTTPClient", "Lifecycle", "Observability", "POSIX", "TextCoding"]),
        library("Device", "AccessEnablerConstants", ["AccessEnabler"]),
        library(
            "Device", "AccessEnablerTesting", ["AccessEnabler", "Clientless", "HTTPClient", "Lifecycle", "TextCoding"]),
        library("Device", "TerminalQR", ["CQRencode", "CommandLineTool"]),
        program(
            "Device", "latchkey",
            [
                "AccessEnabler", "Clientless", "CommandLineTool", "Cryptography", "HTTPClient", "HTTPServer",
                "Lifecycle", "Observability", "POSIX", "Phrases", "TerminalQR", "TextCoding",
            ], resources: [.embedInCode("BoxWords/locales")]),

        // Edge
        library("Edge", "MediaTokenVerifier", ["Clientless", "Cryptography", "TextCoding"]),

        // Tests of what both ends share
        .target(
            name: "TestSupport", dependencies: ["Clientless", "Cryptography"], path: "Tests/Support/TestSupport",
            swiftSettings: settings),
        // What gives each test of a suite a fixture of its own.
        .target(name: "Lending", path: "Tests/Support/Lending", swiftSettings: settings),
        // What a router replies without a server.
        .target(
            name: "Replies", dependencies: ["HTTPServer"], path: "Tests/Support/Replies", swiftSettings: settings),
        // What servers answered, for tests that say whole answers.
        .target(
            name: "WireAnswers", dependencies: ["HTTPClient"], path: "Tests/Support/WireAnswers",
            swiftSettings: settings),
        tests("Shared", "ClientlessTests", ["Clientless", "Cryptography", "TestSupport"]),
        tests("Shared", "CommandLineToolTests", ["CommandLineTool", "POSIX"]),
        tests("Server", "PlacesTests", ["HTTPServer", "Places", "TestSupport"]),
        tests("Shared", "CompressionTests", ["Compression", "TestSupport"]),
        tests("Shared", "CryptographyTests", ["Cryptography", "TestSupport"]),
        tests("Shared", "HTTPClientTests", ["HTTPClient", "TestSupport"]),
        // A server in a process of its own, whose limits a test may lower.
        .executableTarget(
            name: "SmallServer", dependencies: ["HTTPServer", "Lifecycle", "Observability", "POSIX"],
            path: "Tests/Programs/SmallServer", swiftSettings: settings),
        tests(
            "Shared", "HTTPServerTests",
            ["HTTPServer", "Lending", "Lifecycle", "Observability", "Replies", "SmallServer", "TestSupport"]),
        tests("Shared", "LifecycleTests", ["Lifecycle", "Observability"]),
        tests("Edge", "MediaTokenVerifierTests", ["Clientless", "Cryptography", "MediaTokenVerifier", "TestSupport"]),
        tests("Shared", "ObservabilityTests", ["Observability"]),
        tests("Shared", "POSIXTests", ["POSIX", "TestSupport"]),

        // Tests of the server
        tests(
            "Server", "EntitlementTests",
            ["Clientless", "Cryptography", "Entitlement", "Lending", "Stores", "TestSupport"]),
        tests(
            "Server", "ProvidersTests",
            [
                "ClaimsMapping", "Clientless", "Cryptography", "Entitlement", "HTTPClient", "OpenIDConnect",
                "Providers", "StoreFixtures", "Stores", "TestSupport", "TextCoding",
            ], resources: [.embedInCode("Platform/identity_provider.py")]),
        tests(
            "Server", "OpenIDConnectTests",
            [
                "ClaimsMapping", "Clientless", "Cryptography", "Entitlement", "HTTPClient", "OpenIDConnect",
                "Providers",
                "TestSupport", "TextCoding",
            ]),
        tests(
            "Server", "ClaimsMappingTests",
            ["ClaimsMapping", "Clientless", "Cryptography", "Entitlement", "TestSupport"]),
        .target(
            name: "StoreFixtures", dependencies: ["Clientless", "Entitlement"], path: "Tests/Support/StoreFixtures",
            swiftSettings: settings),
        // A PostgreSQL server of Debian's package, for the length of a test.
        .target(
            name: "PostgresServer", dependencies: ["TestSupport"], path: "Tests/Support/PostgresServer",
            swiftSettings: settings),
        tests(
            "Server", "StoreConformance",
            [
                "Clientless", "Entitlement", "Lending", "PostgresServer", "StoreFixtures", "Stores", "TestSupport",
            ]),
        tests(
            "Server", "StorePostgresTests",
            [
                "Clientless", "Entitlement", "Lending", "POSIX", "PostgresServer", "StoreCrashWriter", "StoreFixtures",
                "Stores", "TestSupport",
            ], resources: [.embedInCode("Schemas/schema1.sql")]),
        .executableTarget(
            name: "StoreCrashWriter",
            dependencies: ["Clientless", "Entitlement", "StoreFixtures", "Stores", "TestSupport"],
            path: "Tests/Programs/StoreCrashWriter", swiftSettings: settings),
        tests("Server", "StoreRecordsTests", ["Clientless", "Entitlement", "StoreFixtures", "Stores"]),
        tests(
            "Server", "StoreSQLiteTests",
            ["Clientless", "Entitlement", "Lending", "StoreCrashWriter", "StoreFixtures", "Stores", "TestSupport"],
            resources: [.embedInCode("Schemas/schema1.sql")]),
        tests(
            "Server", "ServerAPITests",
            ["Clientless", "Entitlement", "HTTPServer", "ServerAPI", "TestSupport"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "Clientless", "Cryptography", "Entitlement", "HTTPClient", "HTTPServer", "Lending", "Lifecycle",
                "MediaTokenVerifier", "Observability", "Providers", "ServerAPI", "Stores", "TestSupport",
                "WireAnswers", "latchkeyd",
            ],
            path: "Tests/Conformance",
            exclude: ["OldestClient", "OpenAPI", "Profiles", "Vectors", "Wire"],
            sources: ["Management", "REST", "SDKServices"], swiftSettings: settings),
        tests(
            "Server", "SecondScreenTests",
            [
                "Clientless", "Cryptography", "Entitlement", "HTTPServer", "Lending", "Observability", "Phrases",
                "Replies", "ServerAPI", "StoreFixtures", "Stores", "TestSupport", "TextCoding", "WebPages",
            ]),
        tests("Server", "WebPagesTests", ["Phrases", "ServerAPI", "TestSupport", "WebPages"]),
        tests(
            "Server", "LatchkeydTests",
            [
                "Clientless", "CommandLineTool", "Cryptography", "Entitlement", "HTTPClient", "HTTPServer",
                "Lending", "Lifecycle", "Observability", "OpenIDConnect", "POSIX", "Providers", "ServerAPI",
                "StoreFixtures", "Stores", "TestSupport", "TextCoding", "latchkeyd",
            ]),
        .testTarget(
            name: "OpenAPITests",
            dependencies: [
                "CommandLineTool", "Entitlement", "HTTPServer", "Observability", "POSIX", "RealPrograms", "ServerAPI",
                "TestSupport", "latchkeyd",
            ],
            path: "Tests/Conformance/OpenAPI", swiftSettings: settings),

        // Tests of the box
        .executableTarget(
            name: "TokenStoreWriter", dependencies: ["AccessEnabler", "Clientless"],
            path: "Tests/Programs/TokenStoreWriter",
            swiftSettings: settings),
        tests(
            "Device", "AccessEnablerTests",
            [
                "AccessEnabler", "AccessEnablerConstants", "AccessEnablerTesting", "Clientless", "Cryptography",
                "HTTPClient", "Lending", "Observability", "POSIX", "TestSupport", "TokenStoreWriter",
            ], exclude: ["Documentation/public-api.txt"]),
        tests("Device", "BoxEventsTests", ["Clientless", "TestSupport", "latchkey"]),
        tests(
            "Device", "BoxAgentTests",
            [
                "AccessEnabler", "AccessEnablerTesting", "Clientless", "HTTPClient", "HTTPServer", "Lending",
                "Lifecycle", "Observability", "POSIX", "RealPrograms", "TestSupport", "latchkey",
            ]),
        tests(
            "Device", "LatchkeyTests",
            ["Clientless", "CommandLineTool", "Lending", "POSIX", "TerminalQR", "TestSupport", "latchkey"]),
        tests("Device", "BoxWordsTests", ["CommandLineTool", "Phrases", "TerminalQR", "TestSupport", "latchkey"]),
        tests("Device", "TerminalQRTests", ["CommandLineTool", "TerminalQR", "TestSupport", "latchkey"]),

        // Tests of both programs as they are: what runs them, and who plays the phone
        .target(
            name: "RealPrograms",
            dependencies: ["Clientless", "Cryptography", "HTTPClient", "PostgresServer", "TestSupport", "TextCoding"],
            path: "Tests/Support/RealPrograms", swiftSettings: settings),
        .executableTarget(
            name: "phone", dependencies: ["HTTPClient", "RealPrograms"], path: "Tests/Programs/Phone",
            swiftSettings: settings),
        // What applications are: they see what the library makes public, and nothing else.
        .executableTarget(
            name: "sample", dependencies: ["AccessEnabler"], path: "Tests/Programs/SampleApplication",
            packageAccess: false,
            swiftSettings: settings),
        .testTarget(
            name: "SampleApplicationTests", dependencies: ["AccessEnabler", "AccessEnablerTesting", "sample"],
            path: "Tests/Device/SampleApplicationTests", packageAccess: false, swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Clientless", "Cryptography", "HTTPClient", "Lending", "PostgresServer", "RealPrograms", "Stores",
                "TestSupport",
            ],
            path: "Tests/EndToEnd",
            exclude: [
                "Operator/backup.sh", "Operator/certificate.sh", "Operator/former-version", "Operator/pairing.sh",
                "Operator/printed", "Operator/questions.sh", "Operator/set-up.sh", "Operator/stage.sh",
                "Operator/upgrade.sh", "Operator/walk.sh",
            ], swiftSettings: settings),
        .target(name: "SettableClock", path: "Tests/Programs/SettableClock", publicHeadersPath: "include"),
        .testTarget(
            name: "ConformanceWireTests",
            dependencies: [
                "Clientless", "Cryptography", "Entitlement", "HTTPClient", "Lending", "MediaTokenVerifier",
                "PostgresServer", "RealPrograms", "ServerAPI", "Stores", "TestSupport",
                "WireAnswers", "latchkeyd",
            ],
            path: "Tests/Conformance/Wire", swiftSettings: settings),
        .testTarget(
            name: "FuzzTests", dependencies: ["HTTPClient", "RealPrograms", "TestSupport"], path: "Tests/Fuzz",
            exclude: ["Corpus"], swiftSettings: settings),
        .testTarget(
            name: "BrowserTests",
            dependencies: ["CommandLineTool", "HTTPClient", "RealPrograms", "TerminalQR", "TestSupport", "latchkey"],
            path: "Tests/Browser", exclude: ["Pictures/Kept"], swiftSettings: settings),

        // Benchmarks
        .executableTarget(
            name: "bench",
            dependencies: [
                "AccessEnabler", "Clientless", "HTTPClient", "Observability", "RealPrograms", "TestSupport",
            ],
            path: "Tests/Programs/Benchmarks/Bench", swiftSettings: settings),
        .executableTarget(
            name: "sqlite-limit", path: "Tests/Programs/Benchmarks/SQLiteLimit",
            linkerSettings: [.linkedLibrary("sqlite3")]),
    ],
    swiftLanguageModes: [.v6]
)

// Only for `deploy/check/fuzz`, which compiles this with coverage for libFuzzer and links the objects itself.
if Context.environment["LATCHKEY_FUZZ"] != nil {
    package.targets.append(
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AccessEnabler", "ClaimsMapping", "Clientless", "CommandLineTool", "Cryptography", "Entitlement",
                "HTTPClient", "HTTPServer", "MediaTokenVerifier", "OpenIDConnect", "POSIX", "Providers", "ServerAPI",
                "latchkey", "latchkeyd",
            ], path: "Tests/Programs/FuzzTargets", swiftSettings: settings))
    // A program would be linked, and the entry of the fuzzer is not in it.
    package.products.removeAll { ["latchkey", "latchkeyd"].contains($0.name) }
    for (index, program) in package.targets.enumerated() where ["latchkey", "latchkeyd"].contains(program.name) {
        package.targets[index] = .target(
            name: program.name, dependencies: program.dependencies, path: program.path,
            exclude: ["Program/Main.swift"], resources: program.resources, swiftSettings: settings)
    }
}

// Only for `deploy/test`, which builds some of the tests a second time with a sanitizer: the test targets that this names,
// with what they need.
if let names = Context.environment["LATCHKEY_TESTS"] {
    var wanted = Set(names.split(separator: " ").map(String.init))
    var unread = Array(wanted)
    while let name = unread.popLast() {
        for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
            guard case .byNameItem(let needed, _) = dependency, wanted.insert(needed).inserted else { continue }
            unread.append(needed)
        }
    }
    package.targets.removeAll { !wanted.contains($0.name) }
    package.products.removeAll { !wanted.contains($0.name) }
}
