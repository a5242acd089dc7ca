/*
 * events: server-sent events about running jobs.
 *
 * A stream remembers which state it has sent and never more than one that it is sending, so a slow
 * or lost reader costs a few kilobytes until its connection ends, whatever happens meanwhile. A
 * stream without news is suspended; the pulse thread wakes it up. Every few seconds a comment is
 * sent, so that a lost reader is noticed.
 */
#ifndef TETROPT_WEB_EVENTS_H
#define TETROPT_WEB_EVENTS_H

#include "web/jobs.h"

struct MHD_Connection;
struct MHD_Response;

enum { EVENTS_MAX_STREAMS = 100 };

typedef struct Events Events;

/* Starts the thread that brings the jobs up to date and wakes up streams. */
Events *events_new(WebJobs *jobs, Status *status);

/* Ends all streams and the thread; to be called before the server is stopped. */
void events_close(Events *events);
void events_free(Events *events);

/* A response that streams the states of the job, which is given back when the stream ends. NULL
 * with `status` when there are too many streams or no memory; the job is then given back at once.
 */
struct MHD_Response *events_stream(Events *events, struct MHD_Connection *connection, WebJob *job,
                                   Status *status);

#endif
