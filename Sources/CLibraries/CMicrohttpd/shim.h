#pragma once

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <string.h>
// Missing from the toolchain's module of the C library.
#include <sys/epoll.h>
#include <sys/eventfd.h>

/// The C library declares it only where everything of GNU is asked for.
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);

// Swift does not import variadic functions. Each of these calls one with the arguments Latchkey needs.

/// Is told that libmicrohttpd logs something. Swift cannot implement a function that takes a `va_list`.
struct latchkey_logger {
  /// `status` is that of the answer by which libmicrohttpd is about to refuse a request itself; 0 with other messages.
  void (*log)(void *context, unsigned int status);
  void *context;
};

static inline void latchkey_log(void *logger, const char *format, va_list arguments) {
  // "Error processing request (HTTP response code is %u ('%s')). Closing connection.\n"
  static const char refusal[] = "Error processing request (HTTP response code is %u";
  unsigned int status = strncmp(format, refusal, sizeof refusal - 1) == 0 ? va_arg(arguments, unsigned int) : 0;
  ((struct latchkey_logger *)logger)->log(((struct latchkey_logger *)logger)->context, status);
}

/// `logger` must live until the daemon has stopped.
static inline struct MHD_Daemon *latchkey_start_daemon(unsigned int flags,
                                                       MHD_AccessHandlerCallback handler,
                                                       void *context,
                                                       struct latchkey_logger *logger,
                                                       const struct MHD_OptionItem *options) {
  return MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_EXTERNAL_LOGGER, latchkey_log, logger,
                          MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// The value that the connection's MHD_NotifyConnectionCallback stored.
static inline void *latchkey_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

static inline int latchkey_connection_fd(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/// Bytes from the method to the end of the empty line after the fields; known once the fields have been read.
static inline size_t latchkey_header_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

/// Clears and frees a key that GnuTLS made.
static inline void latchkey_free_key(gnutls_datum_t *key) {
  if (key->data != NULL) gnutls_memset(key->data, 0, key->size);
  gnutls_free(key->data);
}

/// `NULL` without TLS.
static inline gnutls_session_t latchkey_tls_session(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  return info == NULL ? NULL : (gnutls_session_t)info->tls_session;
}
