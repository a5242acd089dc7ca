/*
 * serve: starts the web UI, prints its address and waits for the signal that ends it. The server
 * has its own threads (web/server).
 */
#include "base/json_writer.h"
#include "cli/cli.h"
#include "player/outside/outside.h"
#include "system/child.h"
#include "system/file.h"
#include "system/stop.h"
#include "web/guard.h"
#include "web/server.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

typedef struct ServeSettings {
    CliCommon common;
    const char *address;
    int64_t port;
    OptionList stores, players;
} ServeSettings;

static const Option serve_rows[] = {
    PARAMETER_INTEGER(ServeSettings, port, "port", "8080", 0, 65535, "the port; 0: any free port"),
    OPTION_ROW(ServeSettings, TEXT, address, "address", .fallback = "127.0.0.1",
               .argument = "ADDRESS",
               .help = "the numeric address to listen on; one that is not loopback lets others in"),
    OPTION_ROW(ServeSettings, LIST, stores, "store", .argument = "STORE", .file = OPTION_STORE,
               .help = "show the experiments of sqlite:FILE or postgresql://...; repeatable"),
    OPTION_ROW(ServeSettings, LIST, players, "player", .argument = "tbp:COMMAND|lines:COMMAND",
               .help = "let visitors choose this outside player; repeatable. They can choose no "
                       "other command"),
    OPTIONS_INCLUDE(ServeSettings, common, cli_common_options),
};

static bool tell(const ServeSettings *settings, const Server *server, Status *status) {
    bool v6 = strchr(settings->address, ':') != NULL;
    char url[160];
    snprintf(url, sizeof url, "http://%s%s%s:%u/", v6 ? "[" : "", settings->address, v6 ? "]" : "",
             server_port(server));
    if (settings->common.json) {
        JsonWriter w;
        jw_start(&w);
        jw_put(&w, JS("url", url), JI("port", server_port(server)));
        if (!cli_print_json(&w, status))
            return false;
    } else
        printf("%s\n", url);
    if (fflush(stdout) != 0 || ferror(stdout)) /* without its address it is of no use */
        return file_fail("standard output", errno, status);
    if (!settings->common.quiet && !guard_is_loopback(settings->address))
        fprintf(stderr, "warning: no authentication; anyone who can reach %s can use this server\n",
                settings->address);
    if (!settings->common.quiet)
        fprintf(stderr, "serving; Ctrl-C ends it\n");
    return true;
}

/* The only commands that a visitor can cause to run. */
static bool add_players(const OptionList *players, Status *status) {
    for (int i = 0; i < players->count; i++) {
        if (!outside_is(players->items[i]))
            return status_option(status, "player",
                                 "'%.60s' is neither tbp:COMMAND nor lines:COMMAND",
                                 players->items[i]);
        if (!outside_add(players->items[i], &child_host, status))
            return status_prefix_option(status, "player");
    }
    return true;
}

/* Every job has its own threads. With a heap for each of them, which is what glibc would give them,
 * memory that jobs once used would be kept many times. */
static void share_heaps(void) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 2);
#endif
}

static StatusCode run_serve(CliContext *context, const void *given, Status *status) {
    const ServeSettings *settings = given;
    if (!cli_words_at_most(context, 0, status))
        return status->code;
    if (!add_players(&settings->players, status))
        return status->code;
    share_heaps();
    ServerSetup setup = {settings->address, (uint16_t)settings->port, settings->stores.items,
                         settings->stores.count};
    Server *server = server_new(&setup, status);
    if (!server)
        return status->code;
    bool ok = tell(settings, server, status);
    const struct timespec moment = {.tv_nsec = 100000000};
    while (ok && !atomic_load(stop_flag()))
        nanosleep(&moment, NULL);
    server_free(server);
    return ok ? STATUS_INTERRUPTED : status->code;
}

const Command cmd_serve = {
    .name = "serve",
    .arguments = "[--port N] [--address ADDRESS] [--store STORE] [OPTIONS]",
    .summary = "the web UI: solve, watch, play, train, experiments, replays",
    .description =
        "Serves the web UI on this machine until Ctrl-C and prints its address. Solve piece "
        "sequences with a live fitness curve, find perfect clears, watch and train agents, play "
        "(the engine runs in the browser), look at experiments, replays and fumens. The web UI is "
        "part of the program and contacts no other machine.",
    .examples = "  tetropt serve                                # serves until Ctrl-C\n"
                "  tetropt serve --store sqlite:quick.sqlite    # serves until Ctrl-C\n"
                "  tetropt serve --port 0 --json                # serves until Ctrl-C\n",
    .interrupted = "ended by a signal (Ctrl-C); it does not end in any other way",
    .options = OPTIONS_TABLE(serve_rows),
    .settings_bytes = sizeof(ServeSettings),
    .run = run_serve,
};
