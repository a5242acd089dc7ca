/*
 * browser: web/seat as functions that a page can call. Compiled to WebAssembly alone
 * (scripts/build-wasm); what they take and give are numbers and addresses in the module's memory.
 *
 * A page makes one Browser, which owns the text of the last answer: browser_text and browser_length
 * give it until the next call. There are no globals.
 */
#include "web/parameters.h"
#include "web/seat.h"

#include <stdlib.h>
#include <string.h>

enum { SETUP_BYTES = 2304 }; /* of the lines that browser_sit reads */

#define EXPORT(name) __attribute__((export_name(#name))) name

typedef struct Browser {
    Text text;
    char words[SETUP_BYTES]; /* the page writes here, what browser_sit reads */
} Browser;

Browser *EXPORT(browser_new)(void);
char *EXPORT(browser_words)(Browser *browser);
const char *EXPORT(browser_text)(const Browser *browser);
size_t EXPORT(browser_length)(const Browser *browser);
void EXPORT(browser_agents)(Browser *browser);
void EXPORT(browser_pieces)(Browser *browser, double seed, int count);
size_t EXPORT(browser_room)(const Browser *browser);
Seat *EXPORT(browser_sit)(Browser *browser, bool person, bool drop, bool uniform, double seed,
                          int max_lines);
void EXPORT(browser_leave)(Seat *seat);
bool EXPORT(browser_press)(Seat *seat, int key);
void EXPORT(browser_advance)(Seat *seat, double microseconds, bool agent);
void EXPORT(browser_step)(Seat *seat);
void EXPORT(browser_pause)(Seat *seat, bool paused);
bool EXPORT(browser_needs_plan)(const Seat *seat);
bool EXPORT(browser_plan)(Seat *seat);
void EXPORT(browser_tell)(Browser *browser, const Seat *seat);
void EXPORT(browser_thoughts)(Browser *browser, Seat *seat);
void EXPORT(browser_hint)(Browser *browser, Seat *seat);
bool EXPORT(browser_replay)(Browser *browser, Seat *seat);
bool EXPORT(browser_fumen)(Browser *browser, Seat *seat);

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
    seat_tell_agents(&browser->text);
}

void browser_pieces(Browser *browser, double seed, int count) {
    text_clear(&browser->text);
    seat_tell_pieces((uint64_t)seed, count, &browser->text);
}

/* Cuts the line at *rest off and gives it; NULL when it is empty. */
static const char *next_line(char **rest) {
    char *line = *rest;
    size_t length = strcspn(line, "\n");
    *rest = line + length + (line[length] == '\n');
    line[length] = '\0';
    return length > 0 ? line : NULL;
}

/* The words are lines: the agent (an empty one: nobody), its weights (likewise: its own), and its
 * parameters as name=value. On failure the text says why. */
Seat *browser_sit(Browser *browser, bool person, bool drop, bool uniform, double seed,
                  int max_lines) {
    char *rest = browser->words;
    browser->words[sizeof browser->words - 1] = '\0';
    SeatSetup setup = {.person = person,
                       .drop = drop,
                       .seed = (uint64_t)seed,
                       .max_lines = max_lines,
                       .randomizer = uniform ? RANDOMIZER_UNIFORM : RANDOMIZER_BAG};
    setup.agent = next_line(&rest);
    setup.weights = next_line(&rest);
    setup.parameters = rest;
    Status status = {.code = STATUS_OK};
    Seat *seat = seat_new(&setup, &status);
    text_clear(&browser->text);
    if (!seat)
        text_add(&browser->text, status.message);
    return seat;
}

void browser_leave(Seat *seat) {
    seat_free(seat);
}

bool browser_press(Seat *seat, int key) {
    return key >= 0 && key < KEY_COUNT && seat_press(seat, (Key)key);
}

void browser_advance(Seat *seat, double microseconds, bool agent) {
    seat_advance(seat, (int64_t)microseconds, agent);
}

void browser_step(Seat *seat) {
    seat_step(seat);
}

void browser_pause(Seat *seat, bool paused) {
    seat_pause(seat, paused);
}

bool browser_needs_plan(const Seat *seat) {
    return seat_needs_plan(seat);
}

bool browser_plan(Seat *seat) {
    Status status;
    return seat_plan(seat, &status);
}

void browser_tell(Browser *browser, const Seat *seat) {
    text_clear(&browser->text);
    seat_tell(seat, &browser->text);
}

void browser_thoughts(Browser *browser, Seat *seat) {
    text_clear(&browser->text);
    seat_tell_thoughts(seat, &browser->text);
}

void browser_hint(Browser *browser, Seat *seat) {
    text_clear(&browser->text);
    seat_tell_hint(seat, &browser->text);
}

/* Both: on failure the text says why. */
static bool save(Browser *browser, Seat *seat, bool (*tell)(Seat *, Text *, Status *)) {
    Status status = {.code = STATUS_OK};
    text_clear(&browser->text);
    bool ok = tell(seat, &browser->text, &status);
    if (!ok) {
        text_clear(&browser->text);
        text_add(&browser->text, status.message);
    }
    return ok;
}

bool browser_replay(Browser *browser, Seat *seat) {
    return save(browser, seat, seat_tell_replay);
}

bool browser_fumen(Browser *browser, Seat *seat) {
    return save(browser, seat, seat_tell_fumen);
}
