/// Who permitted a resource (rest-v1 20, 25).
package enum AuthZOrigin: String, Hashable, Sendable, Codable {
    case provider
    case temporaryPass
    case degraded
}
