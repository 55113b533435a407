#ifndef HD_RUNTIME_TLS_H
#define HD_RUNTIME_TLS_H

/* At the high end of every stack. */
enum { HD_TLS_SPAN = 64 * 1024 };

void hd_tls_new_run(void);

#endif
