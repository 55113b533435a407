#include "base/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

int hd_descriptor_set_aside(int fd, bool inherited)
{
    int moved = fd < 0 ? -1 : fcntl(fd, inherited ? F_DUPFD : F_DUPFD_CLOEXEC, HD_DESCRIPTORS);
    if (moved < 0)
        return fd;
    close(fd);
    return moved;
}
