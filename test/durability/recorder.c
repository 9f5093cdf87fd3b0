// Loaded into a server before the C library (LD_PRELOAD): writes down, in their order, each change that it makes to the
// files of its data folder, each sync and each answer. What it writes is read by recording.ts.
//
// A library and not strace: it needs only a C compiler, no ptrace (which containers forbid),
// costs a few microseconds a call where strace stops the process twice, and can delay a sync or let it fail. What it
// cannot see is a call that does not go through the C library, so the test first makes sure that it saw the writes.
//
//   RECORD_FOLDER  the data folder, an absolute path without symbolic links
//   RECORD_TO      the recording
//   SYNC_DELAY     each sync takes so many milliseconds longer
//   SYNCS          after so many calls of fdatasync each further one fails with EIO
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { CREATE = 1, WRITE, TRUNCATE, SYNC_BEGINS, SYNC_ENDS, UNLINK, SEND };
enum { UNKNOWN, RECORDED, SOCKET, OTHER };

struct header {
  uint32_t operation;
  uint32_t thread;
  uint64_t file;   // the inode
  uint64_t offset; // of a write; the new size of a truncation
  uint32_t length; // of the bytes or the path that follow
  uint32_t reserved;
};

#define MAX_DESCRIPTOR 65536
static _Atomic char kinds[MAX_DESCRIPTOR];
static char folder[PATH_MAX];
static size_t folder_length;
static int out = -1;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static long sync_delay;
static atomic_long syncs_left = LONG_MAX;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

__attribute__((constructor)) static void start(void) {
  const char *to = getenv("RECORD_TO"), *in = getenv("RECORD_FOLDER");
  if (getenv("SYNC_DELAY") != NULL) sync_delay = atol(getenv("SYNC_DELAY"));
  if (getenv("SYNCS") != NULL) syncs_left = atol(getenv("SYNCS"));
  if (to == NULL || in == NULL) return;
  strncpy(folder, in, sizeof folder - 1);
  folder_length = strlen(folder);
  out = (int)syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (out < 0) abort();
}

// The order of the recording is the order of what happened, over all threads and processes.
static void lock(void) {
  pthread_mutex_lock(&turn);
  flock(out, LOCK_EX);
}

static void unlock(void) {
  flock(out, LOCK_UN);
  pthread_mutex_unlock(&turn);
}

static void record(int operation, uint64_t file, uint64_t offset, const void *data, size_t length) {
  struct header header = {operation, (uint32_t)syscall(SYS_gettid), file, offset, (uint32_t)length, 0};
  struct iovec parts[] = {{&header, sizeof header}, {(void *)data, length}};
  if (syscall(SYS_writev, out, parts, length == 0 ? 1 : 2) != (ssize_t)(sizeof header + length)) abort();
}

// The index of the log is made anew after a crash, and locks hold nothing.
static int is_recorded(const char *path) {
  if (strncmp(path, folder, folder_length) != 0) return 0;
  if (path[folder_length] != '\0' && path[folder_length] != '/') return 0;
  return strstr(path + folder_length, "-shm") == NULL && strstr(path + folder_length, "server.lock") == NULL;
}

static uint64_t inode_of(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

static void set_kind(int fd, char kind) {
  if (fd >= 0 && fd < MAX_DESCRIPTOR) kinds[fd] = kind;
}

static char kind_of(int fd) {
  if (out < 0 || fd < 0 || fd >= MAX_DESCRIPTOR) return OTHER;
  // Asked each time: what Node opens itself is closed past this library, and its number may by now be that of a socket.
  struct stat status;
  if (fstat(fd, &status) != 0) return OTHER;
  if (S_ISSOCK(status.st_mode)) return SOCKET;
  int may_be = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
  return kinds[fd] == RECORDED && may_be ? RECORDED : OTHER;
}

static int open_recorded(int at, const char *path, int flags, mode_t mode) {
  int (*real_open)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))real("openat");
  if (out < 0 || !is_recorded(path)) {
    int fd = real_open(at, path, flags, mode);
    set_kind(fd, UNKNOWN);
    return fd;
  }
  lock();
  int is_new = access(path, F_OK) != 0;
  int fd = real_open(at, path, flags, mode);
  if (fd >= 0) {
    set_kind(fd, RECORDED);
    if (is_new) record(CREATE, inode_of(fd), 0, path, strlen(path));
    if (flags & O_TRUNC) record(TRUNCATE, inode_of(fd), 0, NULL, 0);
  }
  unlock();
  return fd;
}

#define OPEN(name, before, at)                     \
  int name(before const char *path, int flags, ...) { \
    va_list rest;                                  \
    va_start(rest, flags);                         \
    mode_t mode = va_arg(rest, mode_t);            \
    va_end(rest);                                  \
    return open_recorded(at, path, flags, mode);   \
  }
#define NONE
#define AT int directory,
OPEN(open, NONE, AT_FDCWD)
OPEN(open64, NONE, AT_FDCWD)
OPEN(openat, AT, directory)
OPEN(openat64, AT, directory)

int close(int fd) {
  set_kind(fd, UNKNOWN);
  return REAL(close)(fd);
}

static ssize_t write_at(int fd, const void *data, size_t length, off_t offset) {
  lock();
  ssize_t written = REAL(pwrite)(fd, data, length, offset);
  if (written > 0) record(WRITE, inode_of(fd), (uint64_t)offset, data, (size_t)written);
  unlock();
  return written;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  return kind_of(fd) == RECORDED ? write_at(fd, data, length, offset) : REAL(pwrite)(fd, data, length, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  return pwrite(fd, data, length, offset);
}

ssize_t write(int fd, const void *data, size_t length) {
  char kind = kind_of(fd);
  if (kind == SOCKET) {
    lock();
    record(SEND, 0, 0, data, length);
    unlock();
  }
  if (kind != RECORDED) return REAL(write)(fd, data, length);
  off_t offset = lseek(fd, 0, SEEK_CUR);
  ssize_t written = write_at(fd, data, length, offset);
  if (written > 0) lseek(fd, offset + written, SEEK_SET);
  return written;
}

static void record_parts(int fd, const struct iovec *parts, int count) {
  if (kind_of(fd) != SOCKET) return;
  lock();
  for (int at = 0; at < count; at++) record(SEND, 0, 0, parts[at].iov_base, parts[at].iov_len);
  unlock();
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (kind_of(fd) == RECORDED) abort();
  record_parts(fd, parts, count);
  return REAL(writev)(fd, parts, count);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  record_parts(fd, message->msg_iov, (int)message->msg_iovlen);
  return REAL(sendmsg)(fd, message, flags);
}

int ftruncate(int fd, off_t size) {
  if (kind_of(fd) != RECORDED) return REAL(ftruncate)(fd, size);
  lock();
  int result = REAL(ftruncate)(fd, size);
  if (result == 0) record(TRUNCATE, inode_of(fd), (uint64_t)size, NULL, 0);
  unlock();
  return result;
}

int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

int unlink(const char *path) {
  if (out < 0 || !is_recorded(path)) return REAL(unlink)(path);
  lock();
  int result = REAL(unlink)(path);
  if (result == 0) record(UNLINK, 0, 0, path, strlen(path));
  unlock();
  return result;
}

static int sync_recorded(int fd, int (*sync)(int)) {
  int recorded = kind_of(fd) == RECORDED;
  uint64_t file = recorded ? inode_of(fd) : 0;
  if (recorded) {
    lock();
    record(SYNC_BEGINS, file, 0, NULL, 0);
    unlock();
  }
  if (sync_delay > 0) {
    struct timespec delay = {sync_delay / 1000, sync_delay % 1000 * 1000000};
    nanosleep(&delay, NULL);
  }
  int result = sync(fd);
  if (recorded && result == 0) {
    lock();
    record(SYNC_ENDS, file, 0, NULL, 0);
    unlock();
  }
  return result;
}

int fsync(int fd) { return sync_recorded(fd, REAL(fsync)); }

int fdatasync(int fd) {
  if (atomic_fetch_sub(&syncs_left, 1) <= 0) {
    errno = EIO;
    return -1;
  }
  return sync_recorded(fd, REAL(fdatasync));
}
