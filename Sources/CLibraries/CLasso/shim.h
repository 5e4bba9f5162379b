#pragma once

#include <dlfcn.h>
#include <stddef.h>

// lasso, with what of glib, libxml2 and xmlsec is needed beside it, found at run time. Linked, a dozen libraries would
// be loaded at every start of the server, whether platform SSO is configured or not: measured, 3.5 ms and 3 MB more.
//
// So the declarations are here, by hand. A test compiles this file together with the real headers, which fails when one
// of them differs.

typedef struct _LassoServer LassoServer;
typedef struct _LassoLogin LassoLogin;
typedef struct _LassoNode LassoNode;
typedef struct _xmlDoc xmlDoc;
typedef struct _xmlDtd xmlDtd;
typedef struct _xmlError xmlError;
typedef struct _xmlNode xmlNode;

int lasso_init(void);
void lasso_set_flag(char *flag);
const char *lasso_strerror(int code);
LassoServer *lasso_server_new_from_buffers(
    const char *metadata, const char *private_key, const char *password, const char *certificate);
int lasso_server_add_provider_from_buffer(
    LassoServer *server, int role, const char *metadata, const char *public_key, const char *chain);
LassoLogin *lasso_login_new(LassoServer *server);
int lasso_login_process_authn_response_msg(LassoLogin *login, char *message);
LassoNode *lasso_login_get_assertion(LassoLogin *login);
xmlNode *lasso_node_get_original_xmlnode(LassoNode *node);

typedef void (*classo_glib_function)(const char *domain, int level, const char *message, void *context);
classo_glib_function g_log_set_default_handler(classo_glib_function function, void *context);
void g_object_unref(void *object);

typedef void (*classo_xmlsec_function)(
    const char *file, int line, const char *function, const char *object, const char *subject, int reason,
    const char *message);
void xmlSecErrorsSetCallback(classo_xmlsec_function function);

xmlDoc *xmlReadMemory(const char *bytes, int count, const char *url, const char *encoding, int options);
void xmlFreeDoc(xmlDoc *document);
xmlNode *xmlDocGetRootElement(const xmlDoc *document);
xmlDtd *xmlGetIntSubset(const xmlDoc *document);
void xmlSetGenericErrorFunc(void *context, void (*function)(void *context, const char *message, ...));
void xmlSetStructuredErrorFunc(void *context, void (*function)(void *context, xmlError *error));

/// LASSO_PROVIDER_ROLE_IDP
#define CLASSO_ROLE_IDP 2
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
} classo_element;

#define CLASSO_EACH_FUNCTION(DO) \
    DO(lasso_init) DO(lasso_set_flag) DO(lasso_strerror) DO(lasso_server_new_from_buffers) \
    DO(lasso_server_add_provider_from_buffer) DO(lasso_login_new) DO(lasso_login_process_authn_response_msg) \
    DO(lasso_login_get_assertion) DO(lasso_node_get_original_xmlnode) DO(g_log_set_default_handler) \
    DO(g_object_unref) DO(xmlSecErrorsSetCallback) DO(xmlReadMemory) DO(xmlFreeDoc) DO(xmlDocGetRootElement) \
    DO(xmlGetIntSubset) DO(xmlSetGenericErrorFunc) DO(xmlSetStructuredErrorFunc)

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

/// What libxml2 says, in the calling thread: it keeps one function for each.
static inline void classo_silence_thread(const classo_functions *_Nonnull functions) {
    functions->xmlSetGenericErrorFunc(NULL, classo_drop_generic);
    functions->xmlSetStructuredErrorFunc(NULL, classo_drop_structured);
}

/// Reads and verifies a response; the function wants text it may change, and does not.
static inline int classo_process_response(
    const classo_functions *_Nonnull functions, LassoLogin *_Nonnull login, const char *_Nonnull message) {
    return functions->lasso_login_process_authn_response_msg(login, (char *)message);
}
