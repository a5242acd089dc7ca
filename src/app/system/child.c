/*
 * child: posix_spawn, a socket pair, and poll with a deadline before every read and write.
 *
 * posix_spawn rather than fork, because players are started on threads. One socket for both
 * directions, because a write to a socket can be told not to raise SIGPIPE.
 */
#include "system/child.h"

#include "base/clock.h"
#include "base/memory.h"
#include "system/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    READ_BYTES = 65536,
    ENDING_BYTES = 64,
    MILLISECOND_NS = 1000000,
    ENDING_MS = 200, /* between the end of its output and the end of a process */
    POLL_MS = 100,
    NAP_NS = MILLISECOND_NS
};

typedef struct Child {
    pid_t pid;
    int socket;
    bool reaped, paused, closed; /* closed: it sends no more */
    int how;                     /* of waitpid, once reaped */
    char *buffer;                /* CHILD_LINE_MAX + READ_BYTES + 1 bytes */
    size_t used;                 /* filled bytes of it */
    size_t taken;                /* of them, those that were given to the caller */
    char ending[ENDING_BYTES];
} Child;

/* A child begins with the signals of a shell, whatever ours are. */
static bool set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    static const int restored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
    for (size_t i = 0; i < sizeof restored / sizeof *restored; i++)
        sigaddset(&defaults, restored[i]);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSIGDEF) == 0 &&
           posix_spawnattr_setpgroup(attributes, 0) == 0 &&
           posix_spawnattr_setsigmask(attributes, &none) == 0 &&
           posix_spawnattr_setsigdefault(attributes, &defaults) == 0;
}

static int spawn(pid_t *pid, const char *command, int socket) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    char *shell = strdup("/bin/sh"), *flag = strdup("-c"), *copy = strdup(command);
    char *arguments[] = {shell, flag, copy, NULL};
    int error = ENOMEM;
    if (shell && flag && copy && set_attributes(&attributes) &&
        posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO) == 0)
        error = posix_spawn(pid, shell, &actions, &attributes, arguments, environ);
    free(shell);
    free(flag);
    free(copy);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static void *start_child(const char *command, Status *status) {
    Child *child = memory_new(1, sizeof *child, status);
    if (!child)
        return NULL;
    child->buffer = malloc((size_t)CHILD_LINE_MAX + READ_BYTES + 1);
    int ends[2] = {-1, -1};
    int error = child->buffer ? 0 : ENOMEM;
    if (error == 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        error = errno;
    if (error == 0)
        error = spawn(&child->pid, command, ends[1]);
    if (ends[1] >= 0)
        close(ends[1]);
    child->socket = ends[0];
    if (error == 0)
        return child;
    status_fail(status, STATUS_SYSTEM, "cannot start '%.100s': %s", command, strerror(error));
    if (ends[0] >= 0)
        close(ends[0]);
    free(child->buffer);
    free(child);
    return NULL;
}

/* Waits for `events`; what happened, or 0 after the deadline or a signal to this program. The
 * signal has been passed on by then: it is at least one poll old. */
static int wait_for(Child *child, int events, uint64_t deadline_ns) {
    for (;;) {
        bool stopped = atomic_load(stop_flag());
        uint64_t now = clock_now_ns();
        uint64_t left_ms = deadline_ns > now ? (deadline_ns - now) / MILLISECOND_NS + 1 : 0;
        struct pollfd poller = {.fd = child->socket, .events = (short)events};
        int found = poll(&poller, 1, left_ms < POLL_MS ? (int)left_ms : POLL_MS);
        if (found > 0)
            return poller.revents;
        if (stopped || clock_now_ns() >= deadline_ns)
            return 0;
        if (found < 0 && errno != EINTR) /* the kernel is short of memory: not the child's fault */
            nanosleep(&(struct timespec){.tv_nsec = MILLISECOND_NS}, NULL);
    }
}

static ChildRead why_nothing(void) {
    return atomic_load(stop_flag()) ? CHILD_STOPPED : CHILD_LATE;
}

/* Takes what the child has sent, which is at least a byte or the end. */
static void receive(Child *child) {
    if (child->taken > 0) {
        memmove(child->buffer, child->buffer + child->taken, child->used - child->taken);
        child->used -= child->taken;
        child->taken = 0;
    }
    size_t place = (size_t)CHILD_LINE_MAX + READ_BYTES - child->used;
    if (place == 0)
        return;
    ssize_t count = recv(child->socket, child->buffer + child->used,
                         place < READ_BYTES ? place : READ_BYTES, MSG_DONTWAIT);
    if (count > 0)
        child->used += (size_t)count;
    else if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
        child->closed = true;
}

static ChildRead write_child(void *given, const char *bytes, size_t count, uint64_t deadline_ns) {
    Child *child = given;
    while (count > 0) {
        if (child->closed)
            return CHILD_ENDED;
        bool full = child->used - child->taken >= (size_t)CHILD_LINE_MAX;
        int events = wait_for(child, full ? POLLOUT : POLLOUT | POLLIN, deadline_ns);
        if (events == 0)
            return why_nothing();
        if (events & (POLLIN | POLLHUP | POLLERR))
            receive(child);
        if (!(events & POLLOUT))
            continue;
        ssize_t sent = send(child->socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            bytes += sent;
            count -= (size_t)sent;
        } else if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            return CHILD_ENDED;
    }
    return CHILD_LINE;
}

static ChildRead read_child(void *given, uint64_t deadline_ns, const char **line, size_t *length) {
    Child *child = given;
    for (;;) {
        char *start = child->buffer + child->taken;
        size_t have = child->used - child->taken;
        char *end = memchr(start, '\n', have);
        if (end && end - start <= CHILD_LINE_MAX) {
            *end = '\0';
            *line = start;
            *length = (size_t)(end - start);
            child->taken += *length + 1;
            return CHILD_LINE;
        }
        if (end || have > (size_t)CHILD_LINE_MAX)
            return CHILD_TOO_LONG;
        if (child->closed)
            return CHILD_ENDED;
        if (wait_for(child, POLLIN, deadline_ns) == 0)
            return why_nothing();
        receive(child);
    }
}

/* True once the process has ended, which is waited for until the deadline. */
static bool reap(Child *child, uint64_t deadline_ns) {
    while (!child->reaped) {
        pid_t done = waitpid(child->pid, &child->how, WNOHANG);
        child->reaped = done == child->pid || (done < 0 && errno != EINTR);
        if (child->reaped || clock_now_ns() >= deadline_ns)
            break;
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    }
    return child->reaped;
}

static const char *ending_of(void *given) {
    Child *child = given;
    if (!reap(child, clock_now_ns() + (uint64_t)ENDING_MS * MILLISECOND_NS))
        snprintf(child->ending, sizeof child->ending, "closed its output");
    else if (WIFSIGNALED(child->how))
        snprintf(child->ending, sizeof child->ending, "was ended by signal %d",
                 WTERMSIG(child->how));
    else
        snprintf(child->ending, sizeof child->ending, "ended with exit code %d",
                 WEXITSTATUS(child->how));
    return child->ending;
}

static void pause_child(void *given, bool paused) {
    Child *child = given;
    if (child->paused != paused && !child->reaped)
        kill(-child->pid, paused ? SIGSTOP : SIGCONT);
    child->paused = paused;
}

static void end_child(void *given, int grace_ms) {
    Child *child = given;
    if (!child)
        return;
    pause_child(child, false);
    shutdown(child->socket, SHUT_WR);
    uint64_t deadline = clock_now_ns() + (uint64_t)grace_ms * MILLISECOND_NS;
    while (!child->closed && wait_for(child, POLLIN, deadline) != 0) {
        child->used = child->taken = 0; /* nobody reads it any more */
        receive(child);
        if (clock_now_ns() >= deadline)
            break;
    }
    reap(child, deadline);
    kill(-child->pid, SIGKILL); /* also what it started itself */
    while (!child->reaped)
        reap(child, UINT64_MAX);
    close(child->socket);
    free(child->buffer);
    free(child);
}

const ChildHost child_host = {start_child, write_child, read_child,
                              ending_of,   pause_child, end_child};
