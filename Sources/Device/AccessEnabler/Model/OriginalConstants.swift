// The constants under the names of the original headers, for code that is moved here (access-enabler 3).
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// ``AccessEnablerStatus/success``, under its original name.
public let ACCESS_ENABLER_STATUS_SUCCESS = AccessEnablerStatus.success.rawValue
/// ``AccessEnablerStatus/error``, under its original name.
public let ACCESS_ENABLER_STATUS_ERROR = AccessEnablerStatus.error.rawValue

/// ``AccessEnablerError/userAuthenticated``, under its original name.
public let USER_AUTHENTICATED = AccessEnablerError.userAuthenticated
/// ``AccessEnablerError/userNotAuthenticated``, under its original name.
public let USER_NOT_AUTHENTICATED_ERROR = AccessEnablerError.userNotAuthenticated
/// ``AccessEnablerError/providerNotSelected``, under its original name.
public let PROVIDER_NOT_SELECTED_ERROR = AccessEnablerError.providerNotSelected
/// ``AccessEnablerError/genericAuthentication``, under its original name.
public let GENERIC_AUTHENTICATION_ERROR = AccessEnablerError.genericAuthentication
/// ``AccessEnablerError/providerNotAvailable``, under its original name.
public let PROVIDER_NOT_AVAILABLE_ERROR = AccessEnablerError.providerNotAvailable
/// ``AccessEnablerError/internalAuthentication``, under its original name.
public let INTERNAL_AUTHENTICATION_ERROR = AccessEnablerError.internalAuthentication
/// ``AccessEnablerError/userNotAuthorized``, under its original name.
public let USER_NOT_AUTHORIZED_ERROR = AccessEnablerError.userNotAuthorized
/// ``AccessEnablerError/genericAuthorization``, under its original name.
public let GENERIC_AUTHORIZATION_ERROR = AccessEnablerError.genericAuthorization
/// ``AccessEnablerError/internalAuthorization``, under its original name.
public let INTERNAL_AUTHORIZATION_ERROR = AccessEnablerError.internalAuthorization
/// ``AccessEnablerError/internal``, under its original name.
public let INTERNAL_ERROR = AccessEnablerError.internal

/// ``RedirectURL/adobePass``, under its original name.
public let ADOBEPASS_REDIRECT_URL = RedirectURL.adobePass

/// ``MetadataKey/opcode``, under its original name.
public let METADATA_OPCODE_KEY = MetadataKey.opcode
/// ``MetadataKey/resourceID``, under its original name.
public let METADATA_RESOURCE_ID_KEY = MetadataKey.resourceID
/// ``MetadataKey/userMeta``, under its original name.
public let METADATA_USER_META_KEY = MetadataKey.userMeta
/// ``MetadataOpcode/authentication``, under its original name.
public let METADATA_AUTHENTICATION = MetadataOpcode.authentication
/// ``MetadataOpcode/authorization``, under its original name.
public let METADATA_AUTHORIZATION = MetadataOpcode.authorization
/// ``MetadataOpcode/deviceID``, under its original name.
public let METADATA_DEVICE_ID = MetadataOpcode.deviceID
/// ``MetadataOpcode/userMetadata``, under its original name.
public let METADATA_USER_META = MetadataOpcode.userMetadata

/// ``TrackingEvent/authentication``, under its original name.
public let TRACKING_AUTHENTICATION = TrackingEvent.authentication
/// ``TrackingEvent/authorization``, under its original name.
public let TRACKING_AUTHORIZATION = TrackingEvent.authorization
/// ``TrackingEvent/selectedProvider``, under its original name.
public let TRACKING_GET_SELECTED_PROVIDER = TrackingEvent.selectedProvider

/// ``ProviderFilter/tvProviders``, under its original name.
public let TV_PROVIDERS = ProviderFilter.tvProviders
/// ``ProviderFilter/featuredTVProviders``, under its original name.
public let FEATURED_TV_PROVIDERS = ProviderFilter.featuredTVProviders

/// ``IntegrityCheckType/none``, under its original name.
public let INTEGRITY_CHECK_NONE = IntegrityCheckType.none
/// ``IntegrityCheckType/all``, under its original name.
public let INTEGRITY_CHECK_ALL = IntegrityCheckType.all
/// ``IntegrityCheckType/clear``, under its original name.
public let INTEGRITY_CHECK_CLEAR = IntegrityCheckType.clear
