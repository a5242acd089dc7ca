/*
 * events: one thread refreshes the states of jobs several times per second and resumes the streams
 * that have news; libmicrohttpd's threads send them.
 *
 * Invariant: the list of streams and what each has sent are changed under one lock.
 */
#include "web/events.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PULSE_MS = 100,    /* between two refreshes of the jobs */
    BEAT_PULSES = 30,  /* between two comments to a stream without news */
    BLOCK_BYTES = 2048 /* of a stream that are sent at once */
};

typedef struct Stream Stream;
struct Stream {
    Events *events;
    WebJob *job;
    struct MHD_Connection *connection;
    uint64_t version, beat; /* that were sent */
    Text sending;
    size_t sent; /* of it */
    bool ended;  /* nothing follows what is being sent */
    bool suspended;
    Stream *next, *previous;
};

struct Events {
    WebJobs *jobs;
    pthread_t pulse;
    pthread_mutex_t lock; /* of everything below, and of `suspended` of the streams */
    pthread_cond_t wake;
    bool closing;
    uint64_t beat;
    Stream *streams;
    int count;
};

/* ---- the pulse */

static void resume_all(Events *events) {
    for (Stream *stream = events->streams; stream; stream = stream->next)
        if (stream->suspended) {
            stream->suspended = false;
            MHD_resume_connection(stream->connection);
        }
}

/* Sleeps a pulse long, with the lock held; closing ends it at once. */
static void sleep_pulse(Events *events) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PULSE_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&events->wake, &events->lock, &until);
}

static void *pulse_main(void *context) {
    Events *events = context;
    int pulses = 0;
    pthread_mutex_lock(&events->lock);
    while (!events->closing) {
        sleep_pulse(events);
        pthread_mutex_unlock(&events->lock);
        bool changed = web_jobs_refresh(events->jobs);
        pthread_mutex_lock(&events->lock);
        bool beat = ++pulses % BEAT_PULSES == 0;
        events->beat += beat;
        if (changed || beat)
            resume_all(events);
    }
    resume_all(events);
    pthread_mutex_unlock(&events->lock);
    return NULL;
}

Events *events_new(WebJobs *jobs, Status *status) {
    Events *events = calloc(1, sizeof *events);
    if (!events) {
        status_no_memory(status);
        return NULL;
    }
    events->jobs = jobs;
    pthread_mutex_init(&events->lock, NULL);
    pthread_cond_init(&events->wake, NULL);
    if (pthread_create(&events->pulse, NULL, pulse_main, events) == 0)
        return events;
    status_fail(status, STATUS_SYSTEM, "threads: cannot start one");
    events_free(events);
    return NULL;
}

void events_close(Events *events) {
    pthread_mutex_lock(&events->lock);
    events->closing = true;
    pthread_cond_signal(&events->wake);
    pthread_mutex_unlock(&events->lock);
    pthread_join(events->pulse, NULL);
}

void events_free(Events *events) {
    pthread_cond_destroy(&events->wake);
    pthread_mutex_destroy(&events->lock);
    free(events);
}

/* ---- streams, on the server's threads */

/* Takes the newest state, or a comment, to be sent. False when there is no news. */
static bool find_news(Stream *stream) {
    text_clear(&stream->sending);
    stream->sent = 0;
    text_add(&stream->sending, "data: ");
    if (web_job_state(stream->events->jobs, stream->job, &stream->version, &stream->sending,
                      &stream->ended)) {
        text_add(&stream->sending, "\n\n");
        return true;
    }
    text_clear(&stream->sending);
    if (stream->beat == stream->events->beat)
        return false;
    stream->beat = stream->events->beat;
    text_add(&stream->sending, ":\n\n");
    return true;
}

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t room) {
    (void)position;
    Stream *stream = context;
    Events *events = stream->events;
    if (stream->sent == stream->sending.length) {
        if (stream->ended)
            return MHD_CONTENT_READER_END_OF_STREAM;
        /* Under the lock, so that news cannot come between looking and being suspended. */
        pthread_mutex_lock(&events->lock);
        bool closing = events->closing, news = !closing && find_news(stream);
        if (!closing && !news) {
            stream->suspended = true;
            MHD_suspend_connection(stream->connection);
        }
        pthread_mutex_unlock(&events->lock);
        if (closing || stream->sending.failed)
            return MHD_CONTENT_READER_END_OF_STREAM;
        if (!news)
            return 0;
    }
    size_t left = stream->sending.length - stream->sent;
    size_t count = left < room ? left : room;
    memcpy(buffer, stream->sending.data + stream->sent, count);
    stream->sent += count;
    return (ssize_t)count;
}

static void free_stream(void *context) {
    Stream *stream = context;
    Events *events = stream->events;
    pthread_mutex_lock(&events->lock);
    *(stream->previous ? &stream->previous->next : &events->streams) = stream->next;
    if (stream->next)
        stream->next->previous = stream->previous;
    events->count--;
    pthread_mutex_unlock(&events->lock);
    web_jobs_give_back(events->jobs, stream->job);
    text_release(&stream->sending);
    free(stream);
}

/* False when there are enough. */
static bool add_stream(Events *events, Stream *stream) {
    pthread_mutex_lock(&events->lock);
    bool room = events->count < EVENTS_MAX_STREAMS && !events->closing;
    if (room) {
        stream->next = events->streams;
        if (stream->next)
            stream->next->previous = stream;
        events->streams = stream;
        events->count++;
        stream->beat = events->beat;
    }
    pthread_mutex_unlock(&events->lock);
    return room;
}

struct MHD_Response *events_stream(Events *events, struct MHD_Connection *connection, WebJob *job,
                                   Status *status) {
    Stream *stream = calloc(1, sizeof *stream);
    if (!stream) {
        web_jobs_give_back(events->jobs, job);
        status_no_memory(status);
        return NULL;
    }
    stream->events = events;
    stream->connection = connection;
    stream->job = job;
    web_job_watch(events->jobs, job);
    text_init(&stream->sending);
    if (!add_stream(events, stream)) {
        web_jobs_give_back(events->jobs, job);
        free(stream);
        status_fail(status, STATUS_UNMET, "%d pages watch already", EVENTS_MAX_STREAMS);
        return NULL;
    }
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_stream, stream, free_stream);
    if (!response) {
        free_stream(stream);
        status_no_memory(status);
    }
    return response;
}
