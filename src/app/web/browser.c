/*
 * browser: web/session as functions that JavaScript can call. Compiled to WebAssembly only
 * (scripts/build-wasm); what they take and give are numbers and addresses in the module's memory.
 *
 * The web UI makes one Browser, which owns the text of the last answer: browser_text and
 * browser_length give it until the next call. There are no globals.
 */
#include "base/json_writer.h"
#include "web/parameters.h"
#include "web/saved_game.h"
#include "web/session.h"

#include <stdlib.h>
#include <string.h>

enum { SETUP_BYTES = 4608 }; /* of the lines that browser_begin reads */

#define EXPORT(name) __attribute__((export_name(#name))) name

typedef struct Browser {
    Text text;
    char *input; /* the web UI writes here what browser_open reads */
    SavedGame *game;
    char words[SETUP_BYTES]; /* the web UI writes here what browser_begin reads */
} Browser;

Browser *EXPORT(browser_new)(void);
char *EXPORT(browser_words)(Browser *browser);
const char *EXPORT(browser_text)(const Browser *browser);
size_t EXPORT(browser_length)(const Browser *browser);
void EXPORT(browser_agents)(Browser *browser);
void EXPORT(browser_pieces)(Browser *browser, double seed, int count);
size_t EXPORT(browser_room)(const Browser *browser);
WebSession *EXPORT(browser_begin)(Browser *browser, bool person, bool drop, bool uniform,
                                  double seed, int max_lines);
int EXPORT(browser_take_sent)(WebSession *session);
void EXPORT(browser_receive)(WebSession *session, int rows);
void EXPORT(browser_end)(WebSession *session);
bool EXPORT(browser_press)(WebSession *session, int key);
void EXPORT(browser_advance)(WebSession *session, double microseconds, bool agent);
void EXPORT(browser_step)(WebSession *session);
void EXPORT(browser_pause)(WebSession *session, bool paused);
bool EXPORT(browser_needs_plan)(const WebSession *session);
bool EXPORT(browser_plan)(WebSession *session);
void EXPORT(browser_tell)(Browser *browser, const WebSession *session);
void EXPORT(browser_thoughts)(Browser *browser, WebSession *session);
void EXPORT(browser_hint)(Browser *browser, WebSession *session);
double EXPORT(browser_value)(WebSession *session, int letter, bool hold, int rotation, int x,
                             int y);
bool EXPORT(browser_replay)(Browser *browser, WebSession *session);
bool EXPORT(browser_fumen)(Browser *browser, WebSession *session);
char *EXPORT(browser_input)(Browser *browser, size_t length);
bool EXPORT(browser_open)(Browser *browser, size_t length);
void EXPORT(browser_frames)(Browser *browser, int first, int count);

Browser *browser_new(void) {
    return calloc(1, sizeof(Browser));
}

char *browser_words(Browser *browser) {
    return browser->words;
}

size_t browser_room(const Browser *browser) {
    return sizeof browser->words;
}

const char *browser_text(const Browser *browser) {
    return browser->text.data;
}

size_t browser_length(const Browser *browser) {
    return browser->text.failed ? 0 : browser->text.length;
}

void browser_agents(Browser *browser) {
    text_clear(&browser->text);
    web_session_write_agents(&browser->text);
}

void browser_pieces(Browser *browser, double seed, int count) {
    text_clear(&browser->text);
    web_session_write_pieces((uint64_t)seed, count, &browser->text);
}

/* Cuts the line at *rest off and gives it; NULL when it is empty. */
static const char *next_line(char **rest) {
    char *line = *rest;
    size_t length = strcspn(line, "\n");
    *rest = line + length + (line[length] == '\n');
    line[length] = '\0';
    return length > 0 ? line : NULL;
}

/* The words are lines: the agent (an empty one: nobody), its weights (likewise: its own), the
 * position (likewise: an empty board), and parameters of the agent as name=value. On failure the
 * text says why. */
WebSession *browser_begin(Browser *browser, bool person, bool drop, bool uniform, double seed,
                          int max_lines) {
    char *rest = browser->words;
    browser->words[sizeof browser->words - 1] = '\0';
    WebSessionSetup setup = {.person = person,
                             .drop = drop,
                             .seed = (uint64_t)seed,
                             .max_lines = max_lines,
                             .randomizer = uniform ? RANDOMIZER_UNIFORM : RANDOMIZER_BAG};
    setup.agent = next_line(&rest);
    setup.weights = next_line(&rest);
    setup.position = next_line(&rest);
    setup.parameters = rest;
    Status status = {.code = STATUS_OK};
    WebSession *session = web_session_new(&setup, &status);
    text_clear(&browser->text);
    if (!session)
        text_add(&browser->text, status.message);
    return session;
}

int browser_take_sent(WebSession *session) {
    return web_session_take_sent(session);
}

void browser_receive(WebSession *session, int rows) {
    web_session_receive(session, rows);
}

void browser_end(WebSession *session) {
    web_session_free(session);
}

bool browser_press(WebSession *session, int key) {
    return key >= 0 && key < KEY_COUNT && web_session_press(session, (Key)key);
}

void browser_advance(WebSession *session, double microseconds, bool agent) {
    web_session_advance(session, (int64_t)microseconds, agent);
}

void browser_step(WebSession *session) {
    web_session_step(session);
}

void browser_pause(WebSession *session, bool paused) {
    web_session_pause(session, paused);
}

bool browser_needs_plan(const WebSession *session) {
    return web_session_needs_plan(session);
}

bool browser_plan(WebSession *session) {
    Status status;
    return web_session_plan(session, &status);
}

void browser_tell(Browser *browser, const WebSession *session) {
    text_clear(&browser->text);
    web_session_write(session, &browser->text);
}

void browser_thoughts(Browser *browser, WebSession *session) {
    text_clear(&browser->text);
    web_session_write_thoughts(session, &browser->text);
}

void browser_hint(Browser *browser, WebSession *session) {
    text_clear(&browser->text);
    web_session_write_hint(session, &browser->text);
}

double browser_value(WebSession *session, int letter, bool hold, int rotation, int x, int y) {
    Placement at = {.piece = (uint8_t)piece_from_letter((char)letter),
                    .rotation = (uint8_t)(rotation & 3),
                    .x = (int8_t)x,
                    .y = (int8_t)y};
    return web_session_value(session, (Move){at, hold});
}

/* Both: on failure the text says why. */
static bool save(Browser *browser, WebSession *session,
                 bool (*tell)(WebSession *, Text *, Status *)) {
    Status status = {.code = STATUS_OK};
    text_clear(&browser->text);
    bool ok = tell(session, &browser->text, &status);
    if (!ok) {
        text_clear(&browser->text);
        text_add(&browser->text, status.message);
    }
    return ok;
}

bool browser_replay(Browser *browser, WebSession *session) {
    return save(browser, session, web_session_write_replay);
}

bool browser_fumen(Browser *browser, WebSession *session) {
    return save(browser, session, web_session_write_fumen);
}

/* ---- saved games */

/* Room for a text that is to be opened; NULL: no memory. */
char *browser_input(Browser *browser, size_t length) {
    free(browser->input);
    browser->input = malloc(length + 1);
    return browser->input;
}

/* Opens the replay or fumen in the input instead of the one before and gives everything except its
 * frames. On failure the text says why. */
bool browser_open(Browser *browser, size_t length) {
    Status status = {.code = STATUS_OK};
    saved_game_free(browser->game);
    browser->input[length] = '\0';
    browser->game = saved_game_new(browser->input, length, &status);
    free(browser->input);
    browser->input = NULL;
    text_clear(&browser->text);
    if (!browser->game) {
        text_add(&browser->text, status.message);
        return false;
    }
    JsonWriter w;
    jw_init(&w, &browser->text);
    jw_object(&w, NULL);
    saved_game_write(browser->game, &w);
    jw_end(&w);
    return true;
}

void browser_frames(Browser *browser, int first, int count) {
    JsonWriter w;
    text_clear(&browser->text);
    jw_init(&w, &browser->text);
    saved_game_write_frames(browser->game, &w, NULL, first, count);
}
