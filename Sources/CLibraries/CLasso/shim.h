#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <zlib.h>

// lasso, with what of glib, libxml2 and xmlsec is needed beside it, found at run time. Linked, a dozen libraries would
// be loaded at every start of the server, whether platform SSO is configured or not: measured, 3.5 ms and 3 MB more.
//
// So the declarations are here, by hand. A test compiles this file together with the real headers, which fails when one
// of them differs. zlib's own are included: it is linked anyway, for pages.

typedef struct _LassoServer LassoServer;
typedef struct _LassoProvider LassoProvider;
typedef struct _xmlDoc xmlDoc;
typedef struct _xmlDtd xmlDtd;
typedef struct _xmlError xmlError;
typedef struct _xmlNode xmlNode;
typedef struct _xmlSecBuffer xmlSecBuffer;
typedef struct _xmlSecEncCtx xmlSecEncCtx;
typedef struct _xmlSecKey xmlSecKey;
typedef struct _xmlSecKeysMngr xmlSecKeysMngr;

int lasso_init(void);
/// The part of it in the header, which a test compiles first.
#ifndef LASSO_EXPORT
typedef enum {
    LASSO_CHECK_VERSION_EXACT = 0,
    LASSO_CHECK_VERSIONABI_COMPATIBLE,
    LASSO_CHECK_VERSION_NUMERIC
} LassoCheckVersionMode;
#endif
int lasso_check_version(int major, int minor, int subminor, LassoCheckVersionMode mode);
void lasso_set_flag(char *flag);
const char *lasso_strerror(int code);
LassoServer *lasso_server_new_from_buffers(
    const char *metadata, const char *private_key, const char *password, const char *certificate);
int lasso_server_add_provider_from_buffer(
    LassoServer *server, int role, const char *metadata, const char *public_key, const char *chain);
LassoProvider *lasso_server_get_provider(const LassoServer *server, const char *providerID);

typedef void (*classo_glib_function)(const char *domain, int level, const char *message, void *context);
classo_glib_function g_log_set_default_handler(classo_glib_function function, void *context);
void g_object_unref(void *object);

typedef void (*classo_xmlsec_function)(
    const char *file, int line, const char *function, const char *object, const char *subject, int reason,
    const char *message);
void xmlSecErrorsSetCallback(classo_xmlsec_function function);
xmlSecKeysMngr *xmlSecKeysMngrCreate(void);
void xmlSecKeysMngrDestroy(xmlSecKeysMngr *keys);
int xmlSecOpenSSLAppDefaultKeysMngrInit(xmlSecKeysMngr *keys);
int xmlSecOpenSSLAppDefaultKeysMngrAdoptKey(xmlSecKeysMngr *keys, xmlSecKey *key);
xmlSecKey *xmlSecOpenSSLAppKeyLoadMemory(
    const unsigned char *bytes, unsigned int count, unsigned int format, const char *password, void *function,
    void *context);
void xmlSecKeyDestroy(xmlSecKey *key);
xmlSecEncCtx *xmlSecEncCtxCreate(xmlSecKeysMngr *keys);
void xmlSecEncCtxDestroy(xmlSecEncCtx *context);
xmlSecBuffer *xmlSecEncCtxDecryptToBuffer(xmlSecEncCtx *context, xmlNode *element);
unsigned char *xmlSecBufferGetData(xmlSecBuffer *buffer);
unsigned int xmlSecBufferGetSize(xmlSecBuffer *buffer);

xmlDoc *xmlReadMemory(const char *bytes, int count, const char *url, const char *encoding, int options);
void xmlFreeDoc(xmlDoc *document);
xmlNode *xmlDocGetRootElement(const xmlDoc *document);
xmlDtd *xmlGetIntSubset(const xmlDoc *document);
void xmlSetGenericErrorFunc(void *context, void (*function)(void *context, const char *message, ...));
void xmlSetStructuredErrorFunc(void *context, void (*function)(void *context, xmlError *error));

/// The parts of it in the header, which a test compiles first.
#ifndef LASSO_EXPORT
typedef enum {
    LASSO_MESSAGE_FORMAT_XSCHEMA_ERROR = -2,
    LASSO_MESSAGE_FORMAT_ERROR = -1,
    LASSO_MESSAGE_FORMAT_UNKNOWN,
    LASSO_MESSAGE_FORMAT_XML,
    LASSO_MESSAGE_FORMAT_BASE64,
    LASSO_MESSAGE_FORMAT_QUERY,
    LASSO_MESSAGE_FORMAT_SOAP
} LassoMessageFormat;
#endif
int lasso_provider_verify_signature(
    LassoProvider *provider, const char *message, const char *id_attr_name, LassoMessageFormat format);

/// LASSO_PROVIDER_ROLE_IDP
#define CLASSO_ROLE_IDP 2
/// xmlSecKeyDataFormatPem
#define CLASSO_PEM 2
/// XML_PARSE_NONET, XML_PARSE_NOERROR and XML_PARSE_NOWARNING: nothing is fetched; entities and limits stay.
#define CLASSO_PARSE_OPTIONS 2144
/// XML_ELEMENT_NODE and so on.
#define CLASSO_ELEMENT 1
#define CLASSO_TEXT 3
#define CLASSO_CDATA 4
#define CLASSO_COMMENT 8

/// The first members of an xmlNs, an xmlAttr and an xmlNode.
typedef struct classo_namespace {
    struct classo_namespace *next;
    int type;
    const unsigned char *href;
} classo_namespace;

typedef struct classo_attribute {
    void *_private;
    int type;
    const unsigned char *name;
    struct classo_element *children;
    struct classo_element *last;
    struct classo_element *parent;
    struct classo_attribute *next;
    struct classo_attribute *prev;
    xmlDoc *doc;
    classo_namespace *ns;
} classo_attribute;

typedef struct classo_element {
    void *_private;
    int type;
    const unsigned char *name;
    struct classo_element *children;
    struct classo_element *last;
    struct classo_element *parent;
    struct classo_element *next;
    struct classo_element *prev;
    xmlDoc *doc;
    classo_namespace *ns;
    unsigned char *content;
    classo_attribute *properties;
    classo_namespace *nsDef;
} classo_element;

#define CLASSO_EACH_FUNCTION(DO) \
    DO(lasso_init) DO(lasso_check_version) DO(lasso_set_flag) DO(lasso_strerror) DO(lasso_server_new_from_buffers) \
    DO(lasso_server_add_provider_from_buffer) DO(g_log_set_default_handler) \
    DO(g_object_unref) DO(xmlSecErrorsSetCallback) DO(xmlReadMemory) DO(xmlFreeDoc) DO(xmlDocGetRootElement) \
    DO(xmlGetIntSubset) DO(xmlSetGenericErrorFunc) DO(xmlSetStructuredErrorFunc) \
    DO(lasso_server_get_provider) DO(lasso_provider_verify_signature) DO(inflateInit2_) DO(inflate) DO(inflateEnd) \
    DO(xmlSecKeysMngrCreate) DO(xmlSecKeysMngrDestroy) DO(xmlSecOpenSSLAppDefaultKeysMngrInit) \
    DO(xmlSecOpenSSLAppDefaultKeysMngrAdoptKey) DO(xmlSecOpenSSLAppKeyLoadMemory) DO(xmlSecKeyDestroy) \
    DO(xmlSecEncCtxCreate) DO(xmlSecEncCtxDestroy) DO(xmlSecEncCtxDecryptToBuffer) DO(xmlSecBufferGetData) \
    DO(xmlSecBufferGetSize)

/// The functions above, where they were found.
typedef struct classo_functions {
#define CLASSO_MEMBER(name) __typeof__(name) *name;
    CLASSO_EACH_FUNCTION(CLASSO_MEMBER)
#undef CLASSO_MEMBER
} classo_functions;

/// Loads the library, for good, and finds the functions. What lasso depends on is searched with it (dlsym(3)).
/// - Returns: the name of what is missing, or NULL.
static inline const char *_Nullable classo_load(classo_functions *_Nonnull functions) {
    void *library = dlopen("liblasso.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) return "liblasso.so.3";
#define CLASSO_FIND(name) if (!(functions->name = (__typeof__(name) *)dlsym(library, #name))) return #name;
    CLASSO_EACH_FUNCTION(CLASSO_FIND)
#undef CLASSO_FIND
    return NULL;
}

// Three of the libraries write what they think to standard error, with pieces of the message they work on. A message
// holds what is known of a viewer, so nothing of it may be seen: the caller learns the code, and that is enough.

static inline void classo_drop_glib(const char *domain, int level, const char *message, void *context) {
    (void)domain; (void)level; (void)message; (void)context;
}

static inline void classo_drop_xmlsec(
    const char *file, int line, const char *function, const char *object, const char *subject, int reason,
    const char *message) {
    (void)file; (void)line; (void)function; (void)object; (void)subject; (void)reason; (void)message;
}

static inline void classo_drop_structured(void *context, xmlError *error) {
    (void)context; (void)error;
}

/// Variadic, as libxml2 wants it.
static inline void classo_drop_generic(void *context, const char *message, ...) {
    (void)context; (void)message;
}

/// Sets lasso up, silently in every thread.
static inline int classo_init(const classo_functions *_Nonnull functions) {
    functions->g_log_set_default_handler(classo_drop_glib, NULL);
    int code = functions->lasso_init();
    // After lasso_init, which sets a function of its own.
    functions->xmlSecErrorsSetCallback(classo_drop_xmlsec);
    // The environment variable LASSO_FLAG, read by lasso_init, can switch verification off. It must not.
    functions->lasso_set_flag((char *)"verify-signature");
    return code;
}

/// The messages of libxml2 in the calling thread: it keeps one function for each.
static inline void classo_silence_thread(const classo_functions *_Nonnull functions) {
    functions->xmlSetGenericErrorFunc(NULL, classo_drop_generic);
    functions->xmlSetStructuredErrorFunc(NULL, classo_drop_structured);
}

/// Whether a key of the provider `entity` signed the outermost element of a document, or what is in the body of an
/// envelope. The element's attribute `ID` names it.
/// - Returns: 0 when it did.
static inline int classo_verify_document(
    const classo_functions *_Nonnull functions, LassoServer *_Nonnull server, const char *_Nonnull entity,
    const char *_Nonnull document, int is_envelope) {
    // The provider stays the server's.
    LassoProvider *provider = functions->lasso_server_get_provider(server, entity);
    if (!provider) return -1;
    return functions->lasso_provider_verify_signature(
        provider, document, "ID", is_envelope ? LASSO_MESSAGE_FORMAT_SOAP : LASSO_MESSAGE_FORMAT_XML);
}

/// A private key in PEM, for what is encrypted for it. The caller owns it.
/// - Returns: NULL when it is none.
static inline xmlSecKeysMngr *_Nullable classo_keys(
    const classo_functions *_Nonnull functions, const char *_Nonnull pem, unsigned int count) {
    xmlSecKeysMngr *keys = functions->xmlSecKeysMngrCreate();
    if (!keys) return NULL;
    xmlSecKey *key = NULL;
    if (functions->xmlSecOpenSSLAppDefaultKeysMngrInit(keys) == 0)
        key = functions->xmlSecOpenSSLAppKeyLoadMemory(
            (const unsigned char *)pem, count, CLASSO_PEM, "", NULL, NULL);
    if (key && functions->xmlSecOpenSSLAppDefaultKeysMngrAdoptKey(keys, key) == 0) return keys;
    if (key) functions->xmlSecKeyDestroy(key);
    functions->xmlSecKeysMngrDestroy(keys);
    return NULL;
}

/// Decrypts an `EncryptedData` with its key inside into at most `room` bytes, which are not parsed.
/// - Returns: how many bytes it came to, or -1.
static inline long classo_decrypt_bytes(
    const classo_functions *_Nonnull functions, xmlSecKeysMngr *_Nonnull keys, xmlNode *_Nonnull element,
    unsigned char *_Nonnull output, unsigned int room) {
    xmlSecEncCtx *context = functions->xmlSecEncCtxCreate(keys);
    if (!context) return -1;
    // The buffer stays the context's.
    xmlSecBuffer *buffer = functions->xmlSecEncCtxDecryptToBuffer(context, element);
    unsigned int size = buffer ? functions->xmlSecBufferGetSize(buffer) : 0;
    if (size > 0 && size <= room) __builtin_memcpy(output, functions->xmlSecBufferGetData(buffer), size);
    functions->xmlSecEncCtxDestroy(context);
    return size > 0 && size <= room ? (long)size : -1;
}

/// Inflates raw DEFLATE (RFC 1951), all of it, into at most `room` bytes.
/// - Returns: how many bytes it came to, or -1.
static inline long classo_inflate(
    const classo_functions *_Nonnull functions, const unsigned char *_Nonnull bytes, unsigned int count,
    unsigned char *_Nonnull output, unsigned int room) {
    z_stream stream;
    __builtin_memset(&stream, 0, sizeof stream);
    if (functions->inflateInit2_(&stream, -15, "1", (int)sizeof stream) != 0) return -1;
    stream.next_in = (unsigned char *)bytes;
    stream.avail_in = count;
    stream.next_out = output;
    stream.avail_out = room;
    int code = functions->inflate(&stream, 4 /* Z_FINISH */);
    long size = (long)(room - stream.avail_out);
    functions->inflateEnd(&stream);
    // Z_STREAM_END, with nothing behind it.
    return code == 1 && stream.avail_in == 0 ? size : -1;
}
