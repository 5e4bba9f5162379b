import Clientless

@testable import AccessEnabler

/// An authentication token as servers write it: fragments without a common root.
func authenticationXML(
    _ mvpd: String, requestor: String = TestBox.requestor, guid: String = "g", expires: String = testTokenExpiry
) -> String {
    """
    <signatureInfo>c2lnbmVk</signatureInfo><simpleAuthenticationToken>\
    <simpleTokenAuthenticationGuid>\(guid)</simpleTokenAuthenticationGuid>\
    <simpleTokenRequestorID>\(requestor)</simpleTokenRequestorID>\
    <simpleTokenDomainName>demo.example</simpleTokenDomainName>\
    <simpleTokenExpires>\(expires)</simpleTokenExpires><simpleTokenMsoID>\(mvpd)</simpleTokenMsoID>\
    <simpleTokenDeviceID><simpleTokenFingerprint>f</simpleTokenFingerprint></simpleTokenDeviceID>\
    </simpleAuthenticationToken>
    """
}

func authorizationXML(_ resource: String, expires: String = testTokenExpiry) -> String {
    """
    <signatureInfo>c2lnbmVk</signatureInfo><simpleAuthorizationToken>\
    <simpleTokenRequestorID>\(TestBox.requestor)</simpleTokenRequestorID>\
    <simpleTokenResourceID>\(resource)</simpleTokenResourceID><simpleTokenTTL>\(expires)</simpleTokenTTL>\
    <simpleTokenMsoID>CableNova</simpleTokenMsoID>\
    <simpleTokenDeviceID><simpleTokenFingerprint>f</simpleTokenFingerprint></simpleTokenDeviceID>\
    </simpleAuthorizationToken>
    """
}

let testTokenExpiry = "2033/05/18 03:33:19 GMT +0000"
/// The scope of the applications on a ``TestBox``.
let testScope = "com.example"

extension StoreImage {
    /// Puts a sign-in into the image, with a decision and metadata; by default a valid one of the box's applications.
    mutating func signIn(
        _ mvpd: String, requestor: String = TestBox.requestor, scope: String = testScope, boundTo device: String? = nil,
        xml: String? = nil, stored: Int64 = 1_790_000_000_000
    ) {
        let device = device ?? DeviceIdentity.deviceID(machineID: TestBox.machineID, scope: scope).text
        var provider = Provider(
            authn: Authentication(
                xml: xml ?? authenticationXML(mvpd, requestor: requestor), expires: 2_000_000_000_000,
                deviceScope: scope, boundDeviceID: device, origin: .regular, stored: stored),
            userMetadata: #"{"updated":1,"encrypted":[],"data":{"zip":"1"}}"#)
        provider.authz["r"] = Authorization(xml: authorizationXML("r"), expires: 2_000_000_000_000)
        var branch = self.scopes[scope]?.requestors[requestor] ?? Requestor()
        branch.mvpds[mvpd] = provider
        branch.currentMvpd = mvpd
        branch.canAuthenticate = true
        self.scopes[scope, default: Scope()].requestors[requestor] = branch
    }
}

/// A vault over a store, at the time of a ``ManualClock``.
func testVault(_ store: any AccessEnabler.TokenStore, scope: String = testScope) -> TokenVault {
    TokenVault(store: store, scope: scope, now: { Timestamp(milliseconds: 1_800_000_000_000) })
}

extension TestBox {
    func prepare(_ change: @escaping @Sendable (inout StoreImage) -> Void) async throws {
        try await testVault(AccessEnabler.PrivateFileStore(path: self.storePath)).update(change)
    }
}

/// Requestors' tokens, without what else a store holds.
extension StoreImage {
    func mvpds(_ requestor: String = TestBox.requestor) -> Set<String> { Set(self[requestor: requestor].mvpds.keys) }
}
