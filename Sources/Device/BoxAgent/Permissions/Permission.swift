/// Whether an application may use the sign-ins of the box.
package enum Permission: String, Hashable, Sendable, CaseIterable {
    case granted, denied, undetermined
}
