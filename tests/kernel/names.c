// Names of files: directories, links, renaming, and the lists that directories give.
#include "transcript.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

static char folder[] = "/tmp/heddle-names-XXXXXX";

static void make(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
    say("make %s %d\n", path, fd < 0 ? -errno : 0);
    if (fd >= 0 && (write(fd, path, strlen(path)) < 0 || close(fd)))
        say("failed\n");
}

static void say_contents(const char *path)
{
    char bytes[64];
    int fd = open(path, O_RDONLY);
    long got = fd < 0 ? -errno : read(fd, bytes, sizeof bytes);
    say("%s: %ld %.*s\n", path, got, got > 0 ? (int)got : 0, bytes);
    if (fd >= 0)
        close(fd);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void say_entries(DIR *d)
{
    char *names[64];
    int n = 0;
    for (struct dirent *e; (e = readdir(d)); n++) {
        names[n] = malloc(strlen(e->d_name) + 3);
        sprintf(names[n], "%s%s", e->d_name, e->d_type == DT_DIR ? "/" : e->d_type == DT_LNK ? "@" : "");
    }
    qsort(names, n, sizeof *names, compare);
    for (int i = 0; i < n; i++) {
        say(" %s", names[i]);
        free(names[i]);
    }
    say("\n");
}

static void list(const char *path)
{
    DIR *d = opendir(path);
    say("list %s:", path);
    if (!d) {
        say(" %s\n", strerrorname_np(errno));
        return;
    }
    say_entries(d);
    closedir(d);
}

static void directories(void)
{
    TRY(mkdir("d", 0755));
    TRY(mkdir("d", 0755));
    TRY(mkdir("none/d", 0755));
    TRY(mkdir("d/e/", 0700));
    make("d/f");
    TRY(mkdir("d/f", 0700));
    TRY(mkdir("d/f/g", 0700));
    make("d/f/g");
    list("d");
    list(".");
    list("d/f");
    list("none");
    TRY(rmdir("d"));
    TRY(rmdir("d/f"));
    TRY(rmdir("none"));
    TRY(rmdir("."));
    TRY(rmdir("d/."));
    TRY(rmdir("d/.."));
    TRY(rmdir("/"));
    TRY(unlink("d"));
    TRY(unlink("d/f/"));
    TRY(unlink("d/f"));
    TRY(unlink("d/."));
    TRY(rmdir("d/e"));
    list("d");
    TRY(rmdir("d/"));
    TRY(remove("d"));
    list(".");
}

static void listed_again(void)
{
    TRY(mkdir("l", 0755));
    make("l/a");
    DIR *d = opendir("l");
    say_entries(d);
    make("l/b");
    rewinddir(d);
    say_entries(d);
    TRY(unlink("l/a"));
    rewinddir(d);
    say_entries(d);
    int fd = dirfd(d);
    struct stat s;
    TRY(fstat(fd, &s));
    say("%o\n", s.st_mode);
    char c;
    TRY(write(fd, &c, 1));
    TRY(fcntl(fd, F_GETFL) & O_ACCMODE);
    TRY(openat(fd, "b", O_RDONLY));
    TRY(close(4));
    TRY(unlinkat(fd, "b", 0));
    TRY(unlinkat(fd, "b", 0));
    TRY(unlinkat(fd, "b", 1));
    TRY(mkdirat(fd, "m", 0755));
    TRY(faccessat(fd, "m", F_OK, 0));
    TRY(fstatat(fd, "m", &s, 0));
    TRY(unlinkat(fd, "m", AT_REMOVEDIR));
    TRY(openat(77, "b", O_RDONLY));
    closedir(d);
    TRY(rmdir("l"));
}

/* The folder is on the disk, its entries are changed. */
static void directories_of_the_disk(void)
{
    DIR *d = opendir("/etc");
    int has_passwd = 0, has_ours = 0;
    for (struct dirent *e; (e = readdir(d));)
        has_passwd |= !strcmp(e->d_name, "passwd");
    closedir(d);
    d = opendir("/tmp");
    for (struct dirent *e; (e = readdir(d));)
        has_ours |= !strcmp(e->d_name, folder + strlen("/tmp/"));
    closedir(d);
    say("%d %d\n", has_passwd, has_ours);
    TRY(access("/etc/passwd/x", F_OK));
    TRY(mkdir("/etc/passwd", 0700));
    TRY(mkdir("/etc", 0700));
    TRY(rmdir("/usr"));
    TRY(unlink("/etc"));
    TRY(rename("/usr", "/usr/bin/inside"));
}

static void renames(void)
{
    struct stat a, b;
    make("a");
    make("b");
    TRY(stat("a", &a));
    TRY(rename("a", "b"));
    TRY(stat("b", &b));
    say("same %d\n", a.st_ino == b.st_ino);
    say_contents("a");
    say_contents("b");
    TRY(rename("a", "c"));
    TRY(rename("b", "b"));
    TRY(rename("b", "none/b"));
    TRY(rename("b", "b/c"));
    TRY(mkdir("d", 0755));
    TRY(mkdir("e", 0755));
    TRY(rename("b", "d"));
    TRY(rename("d", "b"));
    TRY(rename("b", "d/b"));
    TRY(rename("e", "d"));
    TRY(rename("d", "d/x"));
    TRY(rename("d", "e"));
    list("e");
    say_contents("e/b");
    TRY(rename("e/.", "f"));
    TRY(rename("e", "f/"));
    TRY(rename("f/b", "g/"));
    TRY(rename("f/b/", "g"));
    TRY(mkdir("f/x", 0755));
    make("f/x/y");
    TRY(rename("f", "h"));
    list("h");
    say_contents("h/x/y");
    say_contents("h/x/../x/./y");
    say_contents("f/x/y");
    TRY(renameat(AT_FDCWD, "h/b", AT_FDCWD, "h/c"));
    TRY(renameat2(AT_FDCWD, "h/c", AT_FDCWD, "h/x", RENAME_NOREPLACE));
    TRY(renameat2(AT_FDCWD, "h/c", AT_FDCWD, "h/d", RENAME_NOREPLACE));
    list("h");
    TRY(unlink("h/x/y"));
    TRY(rmdir("h/x"));
    TRY(unlink("h/d"));
    TRY(rmdir("h"));
    list(".");
}

static void open_while_renamed(void)
{
    char bytes[8] = { 0 };
    make("one");
    make("two");
    int fd = TRY(open("two", O_RDONLY));
    TRY(rename("one", "two"));
    TRY(read(fd, bytes, 8));
    say("%s\n", bytes);
    struct stat s;
    TRY(fstat(fd, &s));
    say("%ld\n", (long)s.st_nlink);
    TRY(close(fd));
    TRY(unlink("two"));
}

static void links(void)
{
    struct stat s;
    char text[16];
    make("a");
    TRY(link("a", "b"));
    TRY(link("a", "b"));
    TRY(link("none", "c"));
    TRY(link("a", "none/c"));
    TRY(link(".", "c"));
    TRY(link("a", "c/"));
    TRY(stat("b", &s));
    say("%ld\n", (long)s.st_nlink);
    int fd = TRY(open("b", O_WRONLY | O_APPEND));
    TRY(write(fd, "+", 1));
    TRY(close(fd));
    say_contents("a");
    TRY(rename("a", "b"));
    TRY(access("a", F_OK));
    TRY(unlink("a"));
    TRY(stat("b", &s));
    say("%ld\n", (long)s.st_nlink);
    TRY(symlink("b", "s"));
    TRY(symlink("b", "s"));
    TRY(symlink("", "t"));
    TRY(symlink("x", "none/t"));
    TRY(symlink("s", "t"));
    TRY(readlink("t", text, sizeof text));
    say("%.1s\n", text);
    TRY(readlink("b", text, sizeof text));
    TRY(readlink("none", text, sizeof text));
    TRY(readlink("t", text, 0));
    say_contents("t");
    TRY(lstat("t", &s));
    say("%o %ld\n", s.st_mode, (long)s.st_size);
    TRY(stat("t", &s));
    say("%o\n", s.st_mode);
    TRY(open("t", O_RDONLY | O_NOFOLLOW));
    TRY(open("t", O_WRONLY | O_CREAT | O_EXCL, 0600));
    TRY(linkat(AT_FDCWD, "t", AT_FDCWD, "u", AT_SYMLINK_FOLLOW));
    TRY(link("t", "w"));
    list(".");
    TRY(unlink("u"));
    TRY(unlink("w"));
    TRY(unlink("b"));
    TRY(stat("t", &s));
    fd = TRY(open("t", O_WRONLY | O_CREAT, 0600));
    TRY(write(fd, "made", 4));
    TRY(close(fd));
    say_contents("b");
    TRY(symlink("loop", "loop"));
    TRY(open("loop", O_RDONLY));
    TRY(stat("loop/x", &s));
    TRY(unlink("loop"));
    TRY(unlink("b"));
    TRY(unlink("s"));
    TRY(unlink("t"));
}

static void links_to_directories(void)
{
    struct stat s;
    TRY(mkdir("d", 0755));
    TRY(mkdir("d/e", 0755));
    TRY(symlink("d/e", "l"));
    make("l/f");
    list("d/e");
    say_contents("l/../e/f");
    TRY(lstat("l/", &s));
    say("%d\n", S_ISDIR(s.st_mode));
    TRY(rmdir("l"));
    TRY(open("l", O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    TRY(unlink("l/f"));
    TRY(unlink("l"));
    TRY(rmdir("d/e"));
    TRY(rmdir("d"));
}

static void working_directory(void)
{
    char text[PATH_MAX];
    TRY(mkdir("w", 0755));
    TRY(mkdir("w/x", 0755));
    TRY(chdir("w/x"));
    say("%s\n", getcwd(text, sizeof text) + strlen(folder));
    make("f");
    say_contents("../x/f");
    TRY(rename("../../w", "../../v"));
    say("%s\n", getcwd(text, sizeof text) + strlen(folder));
    say_contents("f");
    TRY(chdir(".."));
    say("%s\n", getcwd(text, sizeof text) + strlen(folder));
    TRY(chdir("x/f"));
    TRY(chdir("none"));
    int fd = TRY(open("x", O_RDONLY | O_DIRECTORY));
    TRY(chdir("/usr"));
    say("%s\n", getcwd(text, sizeof text));
    TRY(fchdir(fd));
    say("%s\n", getcwd(text, sizeof text) + strlen(folder));
    TRY(close(fd));
    say("%s\n", realpath("f", text) + strlen(folder));
    TRY(unlink("f"));
    TRY(rmdir("../x"));
    TRY(open("g", O_WRONLY | O_CREAT, 0600));
    TRY(mkdir("g", 0700));
    TRY(getcwd(text, sizeof text) ? 0 : -1);
    TRY(chdir(folder));
    TRY(getcwd(text, 2) ? 0 : -1);
    TRY(rmdir("v"));
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    RUN(directories);
    RUN(listed_again);
    RUN(directories_of_the_disk);
    RUN(renames);
    RUN(open_while_renamed);
    RUN(links);
    RUN(links_to_directories);
    RUN(working_directory);
    if (chdir("/") || rmdir(folder))
        return 1;
    return finish();
}
