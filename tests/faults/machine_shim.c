/* Has calls fail that touch files below a folder, from the k-th on, or that one alone; and the clock
jump to and fro, each time that it is looked at. Loaded by LD_PRELOAD; nothing happens before
machine_warm.py says so. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOOK = 1, OPEN = 2, CREATE = 4, ENTRY = 8, REMOVE = 16, WRITE = 32, SYNC = 64, READ = 128 };

static char below[PATH_MAX];
static size_t length;
static long at, seen;
static int lasting, code, which;

void fault_arm(const char *folder, long first, int lasts, int number, int kinds) {
    snprintf(below, sizeof below, "%s", folder);
    length = strlen(below);
    seen = 0, at = first, lasting = lasts, code = number, which = kinds;
}

long fault_seen(void) { return __atomic_load_n(&seen, __ATOMIC_SEQ_CST); }

static int is_below(const char *path) {
    return strncmp(path, below, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_ours(int folder, const char *name) {
    char link[64], path[PATH_MAX + 1];
    if (name && name[0] == '/')
        return is_below(name);
    snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
    ssize_t size = readlink(link, path, PATH_MAX);
    if (size < 0)
        return 0;
    path[size] = 0;
    return is_below(path);
}

static int fails(int kind, int folder, const char *name) {
    int before = errno;
    if (!(which & kind) || !is_ours(folder, name)) {
        errno = before;
        return 0;
    }
    long number = __atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST);
    int is_one = at && (lasting ? number >= at : number == at);
    errno = is_one ? code : before;
    return is_one;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

#define OPENS(flags) ((flags) & O_CREAT ? CREATE : (flags) & (O_WRONLY | O_RDWR) ? OPEN : LOOK)
#define MODE(flags, last)                                                                          \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                         \
        va_list more;                                                                              \
        va_start(more, last);                                                                      \
        mode = va_arg(more, mode_t);                                                               \
        va_end(more);                                                                              \
    }
#define OPENER(name)                                                                               \
    int name(const char *path, int flags, ...) {                                                   \
        MODE(flags, flags)                                                                         \
        if (fails(OPENS(flags), AT_FDCWD, path))                                                   \
            return -1;                                                                             \
        return REAL(int, name, const char *, int, mode_t)(path, flags, mode);                      \
    }
#define OPENER_AT(name)                                                                            \
    int name(int folder, const char *path, int flags, ...) {                                       \
        MODE(flags, flags)                                                                         \
        if (fails(OPENS(flags), folder, path))                                                     \
            return -1;                                                                             \
        return REAL(int, name, int, const char *, int, mode_t)(folder, path, flags, mode);         \
    }
OPENER(open)
OPENER(open64)
OPENER_AT(openat)
OPENER_AT(openat64)

#define CALL(kind, folder, path, type, name, types, given, ...)                                    \
    type name(__VA_ARGS__) {                                                                       \
        if (fails(kind, folder, path))                                                             \
            return (type)(kind == LOOK ? 0 : -1);                                                  \
        return ((type(*) types)dlsym(RTLD_NEXT, #name)) given;                                     \
    }
CALL(LOOK, AT_FDCWD, path, DIR *, opendir, (const char *), (path), const char *path)
CALL(ENTRY, AT_FDCWD, path, int, mkdir, (const char *, mode_t), (path, mode), const char *path,
     mode_t mode)
CALL(ENTRY, folder, path, int, mkdirat, (int, const char *, mode_t), (folder, path, mode),
     int folder, const char *path, mode_t mode)
CALL(ENTRY, AT_FDCWD, to, int, rename, (const char *, const char *), (from, to), const char *from,
     const char *to)
CALL(ENTRY, two, to, int, renameat, (int, const char *, int, const char *), (one, from, two, to),
     int one, const char *from, int two, const char *to)
CALL(ENTRY, AT_FDCWD, to, int, link, (const char *, const char *), (from, to), const char *from,
     const char *to)
CALL(ENTRY, AT_FDCWD, to, int, symlink, (const char *, const char *), (from, to), const char *from,
     const char *to)
CALL(REMOVE, AT_FDCWD, path, int, unlink, (const char *), (path), const char *path)
CALL(REMOVE, folder, path, int, unlinkat, (int, const char *, int), (folder, path, flags),
     int folder, const char *path, int flags)
CALL(REMOVE, AT_FDCWD, path, int, rmdir, (const char *), (path), const char *path)
CALL(WRITE, one, NULL, ssize_t, write, (int, const void *, size_t), (one, data, size), int one,
     const void *data, size_t size)
CALL(WRITE, one, NULL, ssize_t, pwrite64, (int, const void *, size_t, off64_t),
     (one, data, size, place), int one, const void *data, size_t size, off64_t place)
CALL(WRITE, one, NULL, ssize_t, sendfile64, (int, int, off64_t *, size_t),
     (one, two, place, size), int one, int two, off64_t *place, size_t size)
CALL(SYNC, one, NULL, int, fsync, (int), (one), int one)
CALL(SYNC, one, NULL, int, fdatasync, (int), (one), int one)
CALL(SYNC, one, NULL, int, ftruncate64, (int, off64_t), (one, size), int one, off64_t size)
CALL(READ, one, NULL, ssize_t, read, (int, void *, size_t), (one, data, size), int one,
     void *data, size_t size)

static long jump;
static int looks;

void fault_clock(long seconds) { jump = seconds; }

int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = REAL(int, clock_gettime, clockid_t, struct timespec *)(clock, now);
    if (!failed && clock == CLOCK_REALTIME && jump)
        now->tv_sec += __atomic_add_fetch(&looks, 1, __ATOMIC_SEQ_CST) % 3 ? jump : 0;
    return failed;
}
