// The constants of the original library under the names of its headers (access-enabler 3).
//
// Code that is moved here imports them beside AccessEnabler, and compiles as it is. New code writes the members of
// AccessEnabler that they stand for; an application that does not import this module keeps these names for itself.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import AccessEnabler

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

/// ``AccessEnabler/RedirectURL/adobePass``, under its original name.
public let ADOBEPASS_REDIRECT_URL = AccessEnabler.RedirectURL.adobePass

/// ``AccessEnabler/MetadataKey/opcode``, under its original name.
public let METADATA_OPCODE_KEY = AccessEnabler.MetadataKey.opcode
/// ``AccessEnabler/MetadataKey/resourceID``, under its original name.
public let METADATA_RESOURCE_ID_KEY = AccessEnabler.MetadataKey.resourceID
/// ``AccessEnabler/MetadataKey/userMeta``, under its original name.
public let METADATA_USER_META_KEY = AccessEnabler.MetadataKey.userMeta
/// ``AccessEnabler/MetadataOpcode/authentication``, under its original name.
public let METADATA_AUTHENTICATION = AccessEnabler.MetadataOpcode.authentication
/// ``AccessEnabler/MetadataOpcode/authorization``, under its original name.
public let METADATA_AUTHORIZATION = AccessEnabler.MetadataOpcode.authorization
/// ``AccessEnabler/MetadataOpcode/deviceID``, under its original name.
public let METADATA_DEVICE_ID = AccessEnabler.MetadataOpcode.deviceID
/// ``AccessEnabler/MetadataOpcode/userMetadata``, under its original name.
public let METADATA_USER_META = AccessEnabler.MetadataOpcode.userMetadata

/// ``AccessEnabler/TrackingEvent/authentication``, under its original name.
public let TRACKING_AUTHENTICATION = AccessEnabler.TrackingEvent.authentication
/// ``AccessEnabler/TrackingEvent/authorization``, under its original name.
public let TRACKING_AUTHORIZATION = AccessEnabler.TrackingEvent.authorization
/// ``AccessEnabler/TrackingEvent/selectedProvider``, under its original name.
public let TRACKING_GET_SELECTED_PROVIDER = AccessEnabler.TrackingEvent.selectedProvider

/// ``AccessEnabler/ProviderFilter/tvProviders``, under its original name.
public let TV_PROVIDERS = AccessEnabler.ProviderFilter.tvProviders
/// ``AccessEnabler/ProviderFilter/featuredTVProviders``, under its original name.
public let FEATURED_TV_PROVIDERS = AccessEnabler.ProviderFilter.featuredTVProviders

/// ``AccessEnabler/IntegrityCheckType/none``, under its original name.
public let INTEGRITY_CHECK_NONE = AccessEnabler.IntegrityCheckType.none
/// ``AccessEnabler/IntegrityCheckType/all``, under its original name.
public let INTEGRITY_CHECK_ALL = AccessEnabler.IntegrityCheckType.all
/// ``AccessEnabler/IntegrityCheckType/clear``, under its original name.
public let INTEGRITY_CHECK_CLEAR = AccessEnabler.IntegrityCheckType.clear
