// swift-tools-version: 6.2
import PackageDescription

/// The settings every target shares: Swift 6, explicit imports, warnings as errors, `unsafe` only where it is written.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
]

/// A system library of the distribution: a module map and a `shim.h`, nothing else.
func cLibrary(_ name: String, apt package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/CLibraries/\(name)", providers: [.apt([package])])
}

/// A library target in one of the groups of `Sources/`.
func library(_ group: String, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(group)/\(name)", swiftSettings: settings)
}

/// A program in one of the groups of `Sources/`.
func program(_ group: String, _ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Sources/\(group)/\(name)", swiftSettings: settings)
}

/// The tests of one target, or of one subject that crosses several.
func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "latchkey",
    products: [
        .executable(name: "latchkeyd", targets: ["latchkeyd"]),
        .executable(name: "latchkey", targets: ["latchkey"]),
        .library(name: "AccessEnabler", targets: ["AccessEnabler"]),
        .library(name: "MediaTokenVerifier", targets: ["MediaTokenVerifier"]),
    ],
    targets: [
        // CLibraries
        cLibrary("CCrypt", apt: "libcrypt-dev"),
        cLibrary("CCurl", apt: "libcurl4-openssl-dev"),
        cLibrary("CMicrohttpd", apt: "libmicrohttpd-dev"),
        cLibrary("COpenSSL", apt: "libssl-dev"),
        cLibrary("CQRencode", apt: "libqrencode-dev"),
        cLibrary("CSQLite", apt: "libsqlite3-dev"),

        // Shared
        library("Shared", "Clientless", ["Cryptography"]),
        library("Shared", "Cryptography", ["COpenSSL"]),
        library("Shared", "HTTPClient", ["CCurl"]),
        library("Shared", "HTTPServer", ["CMicrohttpd", "Observability", "Lifecycle"]),
        library("Shared", "Observability"),
        library("Shared", "Lifecycle", ["Observability"]),
        library("Shared", "CommandLineTool"),

        // Server
        library("Server", "Entitlement", ["Clientless", "Cryptography", "Observability", "Lifecycle"]),
        library("Server", "Providers", ["Clientless", "Cryptography", "Entitlement", "CCrypt"]),
        library("Server", "StoreSQLite", ["Clientless", "Entitlement", "Lifecycle", "Observability", "CSQLite"]),
        library(
            "Server", "ServerAPI",
            [
                "Clientless", "Cryptography", "Entitlement", "HTTPServer", "Lifecycle", "Observability", "Providers",
                "WebPages",
            ]),
        program(
            "Server", "latchkeyd",
            [
                "Clientless", "CommandLineTool", "Cryptography", "Entitlement", "HTTPServer", "Lifecycle",
                "MediaTokenVerifier", "Observability", "Providers", "ServerAPI", "StoreSQLite",
            ]),
        .target(
            name: "WebPages", path: "web", exclude: ["README.md"],
            resources: [.embedInCode("pages"), .embedInCode("assets"), .embedInCode("locales")],
            swiftSettings: settings),

        // Device
        library("Device", "AccessEnabler", ["Clientless", "Cryptography", "HTTPClient", "Observability"]),
        library("Device", "TerminalQR", ["CQRencode"]),
        program(
            "Device", "latchkey",
            [
                "AccessEnabler", "Clientless", "CommandLineTool", "Cryptography", "HTTPClient", "Lifecycle",
                "Observability", "TerminalQR",
            ]),

        // Edge
        library("Edge", "MediaTokenVerifier", ["Clientless", "Cryptography"]),

        // Tests of the box and of what it shares
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        tests("AccessEnablerTests", ["AccessEnabler", "Clientless", "Cryptography", "HTTPClient", "TestSupport"]),
        tests("CommandLineToolTests", ["CommandLineTool"]),
        tests("LatchkeyTests", ["latchkey", "TestSupport"]),
        tests("TerminalQRTests", ["TerminalQR", "TestSupport"]),
        tests("HTTPClientTests", ["HTTPClient", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
