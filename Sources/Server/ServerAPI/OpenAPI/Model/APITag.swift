/// The chapters of the description.
enum APITag: String, CaseIterable, Sendable {
    case registration = "Client registration"
    case codes = "Registration codes"
    case providers = "Providers"
    case signIn = "Sign-in"
    case authorization = "Authorization"
    case metadata = "User metadata"
    case trials = "Trials"
    case platform = "Platform sign-in"
    case sdk = "SDK services"
    case management = "Management"
    case keys = "Keys"

    var text: String {
        switch self {
        case .registration: "An application registers its installation and gets bearer tokens (rest-v1 10)."
        case .codes: "The short codes that connect a device with a browser (rest-v1 11)."
        case .providers: "Which TV providers a viewer may pick (rest-v1 12)."
        case .signIn: "From the code to the sign-in of a device, and out of it again (rest-v1 13, 14, 18)."
        case .authorization: "Whether a resource may be played, and the token that proves it (rest-v1 15 to 17)."
        case .metadata: "Facts that the provider states about the viewer (rest-v1 19)."
        case .trials: "Free previews without an account (rest-v1 20)."
        case .platform: "The provider account of the device's operating system (rest-v1 21)."
        case .sdk: "The same operations for devices that hold their tokens themselves (sdk-services)."
        case .management: "Changes by operators and programmers while the server runs (rest-v1 20.5, 25)."
        case .keys: "Public keys (rest-v1 22.5)."
        }
    }
}
