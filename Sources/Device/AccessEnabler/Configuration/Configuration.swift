/// How an ``AccessEnabler`` works: where, as whom, and how patiently (access-enabler 2.4).
public struct Configuration: Sendable {
    /// The server. Required: the library never speaks to a third party unless told to.
    public var environment: Environment
    /// The file that keeps credentials, a live code and the last known sign-in, mode 0600.
    public var stateFile: String
    /// The vendor's scope of the device ID (access-enabler 12.4): applications of one scope share their sign-in.
    public var deviceScope: String
    /// Where the stable identifier of the machine is read; it never leaves the box.
    public var machineIDFile = "/etc/machine-id"
    /// What the confirmation page shows about the box.
    public var clientInformation = ClientInformation()
    /// The page where viewers enter the code, if it is not the server's own.
    public var activationURL: String?
    /// How often to ask where the server cannot hold a question, 1 to 60 s (access-enabler D-22).
    public var pollInterval: Duration = .seconds(5)
    /// How long a code lives, 60 to 36,000 s; `nil` for the server's own choice.
    public var codeLifetime: Duration?

    /// Points of access for tests.
    package var transport: (any Transport)?
    package var clock: any BoxClock = SystemClock()
    package var randomness: any Randomness = SystemRandomness()

    public init(environment: Environment, stateFile: String, deviceScope: String) {
        self.environment = environment
        self.stateFile = stateFile
        self.deviceScope = deviceScope
    }
}
