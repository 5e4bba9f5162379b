// The constants under the names of the original headers, for code that is moved here (access-enabler 3).
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public let ACCESS_ENABLER_STATUS_SUCCESS = AccessEnablerStatus.success.rawValue
public let ACCESS_ENABLER_STATUS_ERROR = AccessEnablerStatus.error.rawValue

public let USER_AUTHENTICATED = AccessEnablerError.userAuthenticated
public let USER_NOT_AUTHENTICATED_ERROR = AccessEnablerError.userNotAuthenticated
public let PROVIDER_NOT_SELECTED_ERROR = AccessEnablerError.providerNotSelected
public let GENERIC_AUTHENTICATION_ERROR = AccessEnablerError.genericAuthentication
public let PROVIDER_NOT_AVAILABLE_ERROR = AccessEnablerError.providerNotAvailable
public let INTERNAL_AUTHENTICATION_ERROR = AccessEnablerError.internalAuthentication
public let USER_NOT_AUTHORIZED_ERROR = AccessEnablerError.userNotAuthorized
public let GENERIC_AUTHORIZATION_ERROR = AccessEnablerError.genericAuthorization
public let INTERNAL_AUTHORIZATION_ERROR = AccessEnablerError.internalAuthorization
public let INTERNAL_ERROR = AccessEnablerError.internal

public let ADOBEPASS_REDIRECT_URL = RedirectURL.adobePass

public let METADATA_OPCODE_KEY = MetadataKey.opcode
public let METADATA_RESOURCE_ID_KEY = MetadataKey.resourceID
public let METADATA_USER_META_KEY = MetadataKey.userMeta
public let METADATA_AUTHENTICATION = MetadataOpcode.authentication
public let METADATA_AUTHORIZATION = MetadataOpcode.authorization
public let METADATA_DEVICE_ID = MetadataOpcode.deviceID
public let METADATA_USER_META = MetadataOpcode.userMetadata

public let TRACKING_AUTHENTICATION = TrackingEvent.authentication
public let TRACKING_AUTHORIZATION = TrackingEvent.authorization
public let TRACKING_GET_SELECTED_PROVIDER = TrackingEvent.selectedProvider

public let TV_PROVIDERS = ProviderFilter.tvProviders
public let FEATURED_TV_PROVIDERS = ProviderFilter.featuredTVProviders

public let INTEGRITY_CHECK_NONE = IntegrityCheckType.none
public let INTEGRITY_CHECK_ALL = IntegrityCheckType.all
public let INTEGRITY_CHECK_CLEAR = IntegrityCheckType.clear
