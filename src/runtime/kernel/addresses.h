/* Names of sockets: ports, file names and abstract names of UNIX sockets. They live in the runtime: no port of the
 * system is used, and no file is made.
 *
 * Each name is an object of its own: to bind it, to listen at it and to close its socket changes it, to connect or send
 * to it looks at it. Calls on different names commute. TCP and UDP have their own ports; the addresses of one port
 * share its object. UNIX names are hashed to a fixed number of objects, so two names may share one, which costs
 * executions and misses none.
 *
 * A file name is known by its folder (device and inode of the real one) and its last component, however it is spelled.
 * It stays when its socket is closed, as in Linux, until unlink removes it. Functions on files ask here first: unlink
 * and chmod work on such a name, any other use of it is a model limit. They are operations on the name only if it
 * has been bound or removed while several threads exist, which is learned. */
#ifndef HD_RUNTIME_KERNEL_ADDRESSES_H
#define HD_RUNTIME_KERNEL_ADDRESSES_H

#include "abi/site.h"

#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { HD_PORTS = 65536, HD_UNIX_NAMES = 512, HD_UNIX_OBJECTS = 2048 };

/* An address as programs give it. Plain data. */
typedef struct hd_address {
    socklen_t length; /* 0: none */
    union {
        struct sockaddr any;
        struct sockaddr_un un;
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
        struct sockaddr_storage storage;
    };
} hd_address;

/* A UNIX name as the kernel knows it. Plain data. */
typedef struct hd_unix_name {
    uint64_t device, folder; /* of a file name */
    uint8_t type; /* of an abstract name: sockets of different types have different ones */
    uint8_t length;
    char text[sizeof((struct sockaddr_un *)0)->sun_path]; /* an abstract name begins with a zero */
    uint16_t socket; /* + 1; 0: it is closed, and its file is left */
    uint8_t used;
} hd_unix_name;

extern uint64_t hd_port_objects[2][HD_PORTS], hd_unix_objects[HD_UNIX_OBJECTS];
extern hd_unix_name hd_unix_names[HD_UNIX_NAMES];

/* Before a run: no name is in use. */
void hd_addresses_reset(void);

/* A call looks at the port, or changes what it leads to. */
void hd_port_use(int is_udp, uint16_t port, int changes, const hd_site *site);

/* What the address names, for a socket of the type: 0 or minus an error number. */
int hd_unix_name_of(const hd_address *address, int type, hd_unix_name *name);
void hd_unix_name_use(const hd_unix_name *name, int changes, const hd_site *site);

/* The entry of the name; NULL: there is none. */
hd_unix_name *hd_unix_name_find(const hd_unix_name *name);

/* Why the address, which has no entry, cannot be bound, or cannot be connected to: the error number, or 0. That depends
 * on real files, too. */
int hd_unix_name_obstacle(const hd_address *address, const hd_site *site);
int hd_unix_name_absence(const hd_address *address, const hd_site *site);

/* Gives the name, which has no entry, to a socket. */
void hd_unix_name_bind(const hd_unix_name *name, uint32_t socket);

/* The socket is about to be closed. An abstract name is free again. */
void hd_unix_name_leave(const hd_unix_name *name, uint32_t socket);

/* A function on files is called with the path: does it name a socket? */
int hd_unix_name_is(const char *path, const hd_site *site);

/* The same, and removes it. */
int hd_unix_name_remove(const char *path, const hd_site *site);

/* Ends the execution if it does. */
void hd_unix_name_refuse(const char *path, const char *function, const hd_site *site);

/* Each name that is in use is there once, and has a length (abi/valid.h). */
int hd_addresses_are_valid(void);

#endif
