/* api: what the page asks for, without sockets. */
#include "base/json.h"
#include "base/json_writer.h"
#include "formats/fumen.h"
#include "formats/replay.h"
#include "job/solve.h"
#include "job/train.h"
#include "web/api.h"
#include "web/assets.h"
#include "web/comparison.h"
#include "web/jobs.h"
#include "web/saved_game.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static ApiContext context;

static void start(void) {
    Status status;
    context.jobs = web_jobs_new(&status);
    context.stores = stores_new(NULL, 0, &status);
    cr_assert(context.jobs && context.stores);
}

static void stop(void) {
    web_jobs_free(context.jobs);
    stores_free(context.stores);
}

TestSuite(api, .init = start, .fini = stop);

static Json *ask(bool post, const char *path, const char *body, int wanted) {
    ApiRequest request = {post, path, body, strlen(body)};
    ApiReply reply;
    api_answer(&context, &request, &reply);
    cr_assert_eq(reply.status, wanted, "%s: %d: %s", path, reply.status, reply.body.data);
    Status status;
    Json *document = reply.body.data[0] == '{' || reply.body.data[0] == '['
                         ? json_parse(reply.body.data, reply.body.length, &status)
                         : json_parse("{}", 2, &status);
    text_release(&reply.body);
    cr_assert(document);
    return document;
}

static bool equal(const Json *a, const Json *b) {
    Text texts[2];
    for (int i = 0; i < 2; i++) {
        JsonWriter w;
        text_init(&texts[i]);
        jw_init(&w, &texts[i]);
        jw_json(&w, NULL, i ? b : a);
    }
    bool same = strcmp(texts[0].data, texts[1].data) == 0;
    text_release(&texts[0]);
    text_release(&texts[1]);
    return same;
}

static const char job[] = "{\"pieces\":\"TOZLIJSTOZLIJS\",\"encoding\":\"swap-double\","
                          "\"algorithm\":\"sa\",\"seconds\":20,\"seed\":1}";

Test(api, a_search_from_start_to_end, .timeout = 120) {
    Json *started = ask(true, "/api/solve", job, 200);
    cr_expect_eq(json_int(json_get(started, "id")), 1);
    json_free(started);
    json_free(ask(true, "/api/solve/1/stop", "", 200));
    WebJob *taken = web_jobs_take(context.jobs, &solve_job, 1);
    uint64_t version = 0;
    bool ended = false;
    Text text;
    text_init(&text);
    while (!ended) {
        const struct timespec moment = {.tv_nsec = 10000000};
        nanosleep(&moment, NULL);
        web_jobs_refresh(context.jobs);
        uint64_t before = version;
        bool news = web_job_state(context.jobs, taken, &version, &text, &ended);
        cr_assert_eq(news, version != before);
    }
    cr_expect_not(web_job_state(context.jobs, taken, &version, &text, &ended), "told once");
    web_jobs_give_back(context.jobs, taken);
    text_release(&text);
    Json *shown = ask(false, "/api/solve/1", "", 200);
    cr_expect_str_eq(json_text(json_get(shown, "state")), "done");
    const Json *answer = json_get(shown, "answer"), *frames = json_get(shown, "frames");
    cr_expect_eq(json_count(frames), (size_t)json_int(json_get(answer, "placed")));
    /* The last frame is the final board. */
    const Json *last = json_at(frames, json_count(frames) - 1);
    cr_expect(equal(json_get(last, "board"), json_get(answer, "board")));
    /* Its fumen, read again, gives the same frames. */
    Json *again = ask(true, "/api/replay", json_text(json_get(answer, "fumen")), 200);
    const Json *read = json_get(again, "frames");
    cr_expect_eq(json_count(read), json_count(frames));
    for (size_t i = 0; i < json_count(read); i++)
        cr_expect(
            equal(json_get(json_at(read, i), "board"), json_get(json_at(frames, i), "board")));
    json_free(again);
    json_free(shown);
    json_free(ask(false, "/api/solve/1/replay", "", 200));
}

Test(api, refuses) {
    static const struct {
        bool post;
        const char *path, *body;
        int status;
    } cases[] = {
        {false, "/api/nothing", "", 404},       {false, "/api/solve", "", 405},
        {true, "/api/nothing", "{}", 404},      {false, "/api/train", "", 405},
        {true, "/api/about", "{}", 405},        {false, "/api/solve/1", "", 404},
        {true, "/api/solve/1/stop", "", 404},   {false, "/api/solve/1x", "", 404},
        {false, "/api/stores/0/runs", "", 404}, {true, "/api/solve", "{}", 400},
        {true, "/api/solve", "[1,2]", 400},     {true, "/api/replay", "hello", 400},
        {true, "/api/replay", "", 400},         {true, "/api/replay", "v115@zzzz", 400},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Json *refusal = ask(cases[i].post, cases[i].path, cases[i].body, cases[i].status);
        cr_expect(json_is_string(json_get(refusal, "error")), "%s", cases[i].path);
        json_free(refusal);
    }
    static const struct {
        const char *path;
        const Job *job;
        int64_t number;
    } streams[] = {
        {"/api/solve/17/events", &solve_job, 17}, {"/api/train/3/events", &train_job, 3},
        {"/api/solve/0/events", &solve_job, 0},   {"/api/solve/17", NULL, 0},
        {"/api/solve//events", NULL, 0},          {"/api/about/1/events", NULL, 0},
        {"/api/solve/017/events", NULL, 0}, /* a number has one spelling */
    };
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        int64_t number = -1;
        cr_expect_eq(api_events_job(streams[i].path, &number), streams[i].job, "%s",
                     streams[i].path);
        cr_expect(!streams[i].job || number == streams[i].number, "%s", streams[i].path);
    }
}

/* The row of an array of objects whose "name" is this; NULL: none. */
static const Json *named(const Json *list, const char *name) {
    for (size_t i = 0; i < json_count(list); i++)
        if (strcmp(json_text(json_get(json_at(list, i), "name")), name) == 0)
            return json_at(list, i);
    return NULL;
}

Test(api, instances_are_listed_and_solved_by_name) {
    Json *list = ask(false, "/api/instances", "", 200);
    const Json *instances = json_get(list, "instances");
    cr_expect_geq(json_count(instances), 500);
    const Json *first = named(instances, "bag-10-001");
    cr_assert(first);
    cr_expect(json_get(first, "bound") && json_get(first, "optimal"));
    json_free(list);
    json_free(ask(true, "/api/solve", "{\"instance\":\"bag-10-0\"}", 400));
    Json *refusal = ask(true, "/api/solve", "{\"n\":5,\"algorithm\":\"lines:true\"}", 400);
    cr_expect(strstr(json_text(json_get(refusal, "error")), "programs"), "no programs over HTTP");
    json_free(refusal);
}

Test(api, about_lists_the_jobs_with_the_limits_of_the_server) {
    Json *about = ask(false, "/api/about", "", 200);
    const Json *jobs = json_get(about, "jobs");
    for (const char *const *name = (const char *const[]){"solve", "eval", "simulate", "train", 0};
         *name; name++)
        cr_expect(json_count(json_get(named(jobs, *name), "options")) > 0, "%s", *name);
    const Json *options = json_get(named(jobs, "train"), "options");
    cr_expect_eq(json_int(json_get(named(options, "time"), "max")), JOB_VIEW_MAX_SECONDS);
    cr_expect_str_eq(json_text(json_get(named(options, "time"), "default")), "60");
    cr_expect_eq(json_int(json_get(named(options, "games"), "max")), 1000);
    cr_expect_null(named(options, "threads"), "it cannot be set");
    const Json *methods = json_get(about, "methods");
    const Json *choices = json_get(named(options, "method"), "choices");
    cr_expect_eq(json_count(choices), json_count(methods));
    cr_expect(named(json_get(named(methods, "genetic"), "parameters"), "population"));
    const Json *literature = named(json_get(about, "features"), "literature");
    cr_expect_str_eq(json_text(json_at(json_get(literature, "weights"), 0)), "landing_height");
    json_free(about);
}

/* Waits for the end of a job and gives what GET shows then. */
static Json *finished(const char *path) {
    for (int i = 0; i < 3000; i++) {
        const struct timespec moment = {.tv_nsec = 10000000};
        nanosleep(&moment, NULL);
        web_jobs_refresh(context.jobs);
        Json *shown = ask(false, path, "", 200);
        if (strcmp(json_text(json_get(shown, "state")), "running") != 0)
            return shown;
        json_free(shown);
    }
    cr_assert(false, "%s does not end", path);
    return NULL;
}

Test(api, every_job_can_be_started, .timeout = 120) {
    static const struct {
        const char *job, *body;
        int status;
        const char *why; /* in the error, or a member of the answer */
    } cases[] = {
        {"train",
         "{\"games\":1,\"max-pieces\":50,\"generations\":2,\"held-out\":2,\"seed\":1,"
         "\"pin\":[\"tetris=100\",\"wells\"],\"agent-param\":{\"fit\":2}}",
         200, "training"},
        {"simulate", "{\"agent\":[\"dt20\",\"surface\"],\"games\":2,\"max-pieces\":50,\"seed\":1}",
         200, "agents"},
        {"simulate", "{\"agent\":\"bot?nodes=100\",\"games\":1,\"max-pieces\":5}", 200, "agent"},
        {"solve", "{\"pieces\":\"TOZ\",\"board\":[],\"evaluations\":100}", 200, "fitness"},
        {"clears", "{\"patterns\":\"*p4\",\"board\":\"v115@9gE8DeG8CeH8BeG8CeA8JeAgH\"}", 200,
         "solvable"},
        {"clears", "{\"patterns\":\"*p7,*p3\"}", 400, "max-queues is 100000"},
        {"clears", "{\"max-queues\":100001}", 400, "not in 1..100000 over HTTP"},
        {"eval", "{}", 400, "document"},
        {"train", "{\"games\":1001}", 400, "games: 1001 is not in 1..1000 over HTTP"},
        {"train", "{\"time\":4000}", 400, "time"},
        {"train", "{\"threads\":2}", 400, "threads"},
        {"train", "{\"held-out\":2000}", 400, "held-out"},
        {"train", "{\"pin\":[[\"a\"],1]}", 400, "pin"},
        {"train", "{\"pin\":[{}]}", 400, "pin"},
        {"train", "{\"agent-param\":{\"nothing\":1}}", 400, "nothing"},
        {"simulate", "{\"games\":20000}", 400, "games"},
        {"simulate", "{\"agent\":\"bot?memory=100\"}", 400, "memory: 100 is not in 1..64"},
        {"simulate", "{\"agent\":\"bees\",\"bees\":100000}", 400, "bees"},
    };
    int number = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[64];
        snprintf(path, sizeof path, "/api/%s", cases[i].job);
        Json *reply = ask(true, path, cases[i].body, cases[i].status);
        if (cases[i].status != 200) {
            const char *error = json_text(json_get(reply, "error"));
            cr_expect(error && strstr(error, cases[i].why), "%s", error);
            json_free(reply);
            continue;
        }
        cr_expect_eq(json_int(json_get(reply, "id")), ++number);
        json_free(reply);
        snprintf(path, sizeof path, "/api/%s/%d", cases[i].job, number);
        reply = finished(path);
        cr_expect_str_eq(json_text(json_get(reply, "state")), "done");
        const Json *answer = json_get(reply, "answer");
        cr_expect(json_get(answer, cases[i].why), "%s", cases[i].why);
        snprintf(path, sizeof path, "/api/%s/%d/answer", cases[i].job, number);
        Json *file = ask(false, path, "", 200);
        cr_expect(equal(file, answer));
        json_free(file);
        json_free(reply);
    }
    /* A number belongs to one job. */
    json_free(ask(false, "/api/train/1", "", 200));
    json_free(ask(false, "/api/solve/1", "", 404));
    json_free(ask(true, "/api/simulate/1/stop", "", 404));
    json_free(ask(false, "/api/train/1/svg", "", 404));
    json_free(ask(false, "/api/nothing/1", "", 404));
}

Test(api, a_training_can_be_stopped, .timeout = 120) {
    json_free(ask(true, "/api/train", "{\"time\":600,\"generations\":1000000}", 200));
    json_free(ask(false, "/api/train/1/answer", "", 409));
    json_free(ask(true, "/api/train/1/stop", "", 200));
    Json *shown = finished("/api/train/1");
    cr_expect_str_eq(json_text(json_get(shown, "state")), "done");
    cr_expect(json_is_null(json_get(json_get(json_get(shown, "answer"), "training"), "held_out")));
    json_free(shown);
}

/* The table of parameters is the program's own, and what is sent back is set. */
Test(api, parameters, .timeout = 120) {
    Json *about = ask(false, "/api/about", "", 200);
    const Json *algorithms = json_get(about, "algorithms"), *ga = NULL;
    for (size_t i = 0; i < json_count(algorithms); i++) {
        const Json *algorithm = json_at(algorithms, i);
        cr_expect(json_is_array(json_get(algorithm, "parameters")));
        if (strcmp(json_text(json_get(algorithm, "name")), "ga") == 0)
            ga = json_get(algorithm, "parameters");
    }
    cr_expect_str_eq(json_text(json_get(json_at(ga, 0), "name")), "population");
    cr_expect_eq(json_int(json_get(json_at(ga, 0), "max")), 20000);
    json_free(about);
    static const struct {
        const char *more;
        int status;
        const char *why;
    } cases[] = {
        {"\"parameters\":{\"population\":\"20\",\"generations\":\"2\"}", 200, NULL},
        {"\"evaluations\":500,\"target\":-10,\"profile\":\"rows\"", 200, NULL},
        {"\"parameters\":{\"population\":\"20001\"}", 400, "2..20000"},
        {"\"parameters\":{\"population\":\"99999999999999999999\"}", 400, "2..20000"},
        {"\"parameters\":{\"population\":\"0\"}", 400, "2..20000"},
        {"\"seed\":9007199254740991", 200, NULL},
        {"\"seed\":9007199254740992", 400, "seed"},
        {"\"seed\":-1", 400, "seed"},
        {"\"seed\":1.5", 400, "seed"},
        {"\"param\":{\"population\":20},\"evaluations\":500", 200, NULL},
        {"\"param\":{\"population\":[20]}", 400, "population"},
        {"\"time\":2,\"population\":20,\"evaluations\":500", 200, NULL},
        {"\"threads\":2", 400, "threads"},
        {"\"hold\":true", 400, "hold"},
        {"\"parameters\":{\"popularity\":\"20\"}", 400, "popularity"},
        {"\"parameters\":{\"mutation\":\"2\"}", 400, "mutation"},
        {"\"parameters\":{\"cut\":\"0\\n1\"}", 400, "cut"},
        {"\"parameters\":[]", 400, "parameters"},
        {"\"profile\":\"joy\"", 400, "joy"},
        {"\"evaluations\":-1", 400, "evaluations"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text body;
        text_init(&body);
        text_format(&body,
                    "{\"pieces\":\"TOZLIJS\",\"encoding\":\"simple\","
                    "\"algorithm\":\"ga\",\"seconds\":20,%s}",
                    cases[i].more);
        Json *reply = ask(true, "/api/solve", body.data, cases[i].status);
        const char *error = json_text(json_get(reply, "error"));
        if (cases[i].why)
            cr_expect(error && strstr(error, cases[i].why), "%s", error);
        char stop[64];
        snprintf(stop, sizeof stop, "/api/solve/%d/stop", (int)json_int(json_get(reply, "id")));
        if (!error && i > 0) /* the first is looked at below */
            json_free(ask(true, stop, "", 200));
        json_free(reply);
        text_release(&body);
        web_jobs_refresh(context.jobs);
        const struct timespec moment = {.tv_nsec = 20000000};
        nanosleep(&moment, NULL);
    }
    /* Two generations of twenty are a matter of milliseconds, and of so many evaluations. */
    const char *state = "running";
    for (int k = 0; k < 1000 && strcmp(state, "done") != 0; k++) {
        const struct timespec moment = {.tv_nsec = 10000000};
        nanosleep(&moment, NULL);
        web_jobs_refresh(context.jobs);
        Json *shown = ask(false, "/api/solve/1", "", 200);
        state = strcmp(json_text(json_get(shown, "state")), "done") == 0 ? "done" : "running";
        if (strcmp(state, "done") == 0)
            cr_expect_leq(json_int(json_get(shown, "evaluations")), 60);
        json_free(shown);
    }
    cr_expect_str_eq(state, "done");
}

Test(api, searches_are_bounded, .timeout = 120) {
    for (int i = 0; i < WEB_JOBS_RUNNING; i++)
        json_free(ask(true, "/api/solve", job, 200));
    json_free(ask(true, "/api/solve", job, 409));
}

Test(api, pages_of_a_fumen_that_is_no_game) {
    /* Two pages whose fields have nothing to do with each other. */
    FumenPage pages[2];
    for (int i = 0; i < 2; i++) {
        fumen_page_init(&pages[i]);
        pages[i].field.cells[0][i ? 8 : 1] = 'G';
        pages[i].comment = i ? "then" : "first";
    }
    Text text;
    Status status;
    text_init(&text);
    cr_assert(fumen_encode(pages, 2, &text, &status));
    Json *shown = ask(true, "/api/replay", text.data, 200);
    const Json *frames = json_get(shown, "frames");
    cr_expect(json_is_null(json_get(shown, "result")));
    cr_assert_eq(json_count(frames), 2);
    const Json *second = json_at(frames, 1);
    cr_expect_str_eq(json_text(json_get(second, "comment")), "then");
    cr_expect_str_eq(json_text(json_at(json_get(second, "board"), 0)), "........G.");
    json_free(shown);
    text_release(&text);
}

Test(assets, the_page_is_there) {
    const Asset *page = asset_find("/");
    cr_assert(page && strstr(page->type, "text/html"));
    cr_expect(asset_find("/app.js") && asset_find("/app.css"));
    const Asset *wasm = asset_find("/tetropt.wasm");
    cr_assert(wasm);
    cr_expect_arr_eq(wasm->bytes, "\0asm", 4);
    cr_expect_null(asset_find("/../app.js"));
    for (const Asset *asset = web_assets; asset->path; asset++) {
        cr_expect_eq(strlen(asset->tag), 32, "%s", asset->path);
        cr_expect_arr_eq(asset->gzip, "\x1f\x8b", 2, "%s", asset->path);
        cr_expect(asset->gzip_length < asset->length, "%s", asset->path);
    }
}

Test(assets, compressed_only_for_those_who_take_it) {
    static const struct {
        const char *accepted;
        bool gzip;
    } cases[] = {{NULL, false},
                 {"", false},
                 {"gzip", true},
                 {"gzip, deflate, br, zstd", true},
                 {"br,GZIP;q=0.5", true},
                 {" deflate ,\tgzip", true},
                 {"deflate, br", false},
                 {"gzip;q=0", false},
                 {"gzip; q=0.0, br", false},
                 {"x-gzip", false},
                 {"gzipped", false},
                 {",,,", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(asset_takes_gzip(cases[i].accepted), cases[i].gzip, "%s", cases[i].accepted);
}

Test(assets, tags_tell_whether_a_copy_is_good) {
    char plain[ASSET_TAG_BYTES], gzip[ASSET_TAG_BYTES], list[256];
    const Asset *page = asset_find("/");
    asset_tag(page, false, plain);
    asset_tag(page, true, gzip);
    cr_expect_str_neq(plain, gzip);
    cr_expect(plain[0] == '"' && plain[strlen(plain) - 1] == '"' && strstr(plain, page->tag));
    cr_expect_not(asset_is_known(NULL, plain));
    cr_expect_not(asset_is_known("", plain));
    cr_expect_not(asset_is_known(gzip, plain));
    cr_expect_not(asset_is_known(page->tag, plain), "without its quotes");
    cr_expect(asset_is_known(plain, plain));
    cr_expect(asset_is_known("*", plain));
    snprintf(list, sizeof list, "\"other\", W/%s", gzip);
    cr_expect(asset_is_known(list, gzip));
    cr_expect_not(asset_is_known(list, plain));
}

static Json *ask_saved(const SavedGame *saved) {
    Text text = {0};
    JsonWriter w;
    Status status;
    jw_init(&w, &text);
    jw_object(&w, NULL);
    saved_game_write(saved, &w);
    jw_end(&w);
    Json *document = json_parse(text.data, text.length, &status);
    text_release(&text);
    cr_assert(document);
    return document;
}

/* The frames in parts are the frames at once. */
Test(saved_game, frames_in_parts) {
    const Rules rules = {.hold = true, .width = 10, .height = 20};
    Grid start;
    Randomizer randomizer;
    Game game;
    Replay replay;
    Status status = {.code = STATUS_OK};
    Text text = {0}, whole = {0}, parts = {0};
    grid_init(&start, rules.width, rules.height);
    randomizer_init(&randomizer, RANDOMIZER_BAG, 3, 0);
    game_init(&game, &rules, &randomizer);
    replay_record(&replay, &game, &start);
    for (int i = 0; i < 8; i++)
        replay_press(&replay, &game, KEY_HARD_DROP);
    replay_finish(&replay, &game);
    cr_assert(replay_write(&replay, &text, &status), "%s", status.message);
    replay_release(&replay);

    SavedGame *saved = saved_game_new(text.data, text.length, &status);
    cr_assert(saved, "%s", status.message);
    cr_assert_eq(saved_game_count(saved), 8);
    JsonWriter w;
    jw_init(&w, &whole);
    saved_game_write_frames(saved, &w, NULL, 0, 8);
    for (int first = 0; first < 8; first += 3) {
        Text part = {0};
        jw_init(&w, &part);
        saved_game_write_frames(saved, &w, NULL, first, 3);
        text_add(&parts, first ? "," : "["); /* without the brackets around it */
        text_add_bytes(&parts, part.data + 1, part.length - 2);
        text_release(&part);
    }
    text_add(&parts, "]");
    cr_expect_str_eq(parts.data, whole.data);
    Json *shown = ask_saved(saved);
    cr_expect_eq(json_int(json_get(shown, "count")), 8);
    cr_expect_eq(json_int(json_get(json_get(shown, "result"), "pieces")), 8);
    cr_expect(json_int(json_get(shown, "rows")) >= 8, "eight pieces on top of each other");
    json_free(shown);
    saved_game_free(saved);
    text_release(&text);
    text_release(&whole);
    text_release(&parts);
}

/* After every move the frames know the current piece and the held one, as the game does. */
Test(saved_game, frames_have_the_queue) {
    enum { MOVES = 9 };
    const Rules rules = {.hold = true, .width = 10, .height = 20};
    Grid start;
    Randomizer randomizer;
    Game game;
    Replay replay;
    Status status = {.code = STATUS_OK};
    Text text = {0}, frames = {0};
    uint8_t current[MOVES], held[MOVES];
    grid_init(&start, rules.width, rules.height);
    randomizer_init(&randomizer, RANDOMIZER_BAG, 4, 0);
    game_init(&game, &rules, &randomizer);
    game.hold = PIECE_T; /* as in a game that starts from a position */
    replay_record(&replay, &game, &start);
    for (int i = 0; i < MOVES; i++) {
        if (i % 3 != 1)
            replay_press(&replay, &game, KEY_HOLD);
        for (int k = 0; k < i % 5; k++)
            replay_press(&replay, &game, i % 2 ? KEY_LEFT : KEY_RIGHT);
        replay_press(&replay, &game, KEY_HARD_DROP);
        current[i] = game.current;
        held[i] = game.hold;
    }
    replay_finish(&replay, &game);
    cr_assert(replay_write(&replay, &text, &status), "%s", status.message);
    replay_release(&replay);
    SavedGame *saved = saved_game_new(text.data, text.length, &status);
    cr_assert(saved, "%s", status.message);
    JsonWriter w;
    jw_init(&w, &frames);
    saved_game_write_frames(saved, &w, NULL, 0, MOVES);
    Json *list = json_parse(frames.data, frames.length, &status), *shown = ask_saved(saved);
    cr_assert(list);
    const char *pieces = json_text(json_get(shown, "pieces"));
    cr_expect_str_eq(json_text(json_get(shown, "held")), "T");
    cr_expect(json_is_true(json_get(shown, "holds")));
    for (size_t i = 0; i < MOVES; i++) {
        const Json *frame = json_at(list, i);
        cr_expect_eq(pieces[json_int(json_get(frame, "at"))], piece_letters[current[i]], "%zu", i);
        cr_expect_eq(json_text(json_get(frame, "held"))[0], piece_letters[held[i]], "%zu", i);
    }
    json_free(list);
    json_free(shown);
    saved_game_free(saved);
    text_release(&text);
    text_release(&frames);
}

/* Twelve runs as an export writes them: `sa` is better on every instance. */
static void write_exported(JsonWriter *w, const char *parameters) {
    jw_array(w, NULL);
    for (int i = 0; i < 12; i++) {
        jw_object(w, NULL);
        jw_put(w, JI("run", i + 1), JS("grid", "g"), JS("command", "solve"),
               JI("repeat", i / 2 + 1), JI("piece_seed", i / 2));
        if (parameters) {
            jw_string(w, "parameters", parameters);
        } else {
            jw_object(w, "parameters");
            jw_put(w, JS("n", "10"), JS("algorithm", i % 2 ? "sa" : "ga"));
            jw_end(w);
        }
        jw_object(w, "result");
        jw_real(w, "fitness", i % 2 ? 100 + i : i);
        jw_end(w);
        jw_end(w);
    }
    jw_end(w);
}

static bool compare_exported(const char *parameters, const char *by, Text *body, Status *status) {
    ComparisonQuestion question = {"g", by, "ga", "sa"};
    Text text;
    text_init(&text);
    JsonWriter w;
    jw_init(&w, &text);
    write_exported(&w, parameters);
    Json *exported = json_parse(text.data, text.length, status);
    cr_assert(exported);
    Runs runs;
    bool ok = comparison_read_runs(exported, &runs, status) &&
              comparison_write(&runs, &question, body, status);
    runs_release(&runs);
    json_free(exported);
    text_release(&text);
    return ok;
}

Test(api, two_groups_of_exported_runs) {
    Status status = {0};
    Text body;
    text_init(&body);
    cr_assert(compare_exported(NULL, "algorithm", &body, &status), "%s", status.message);
    Json *answer = json_parse(body.data, body.length, &status);
    cr_assert(answer);
    cr_expect_str_eq(json_text(json_get(answer, "measure")), "fitness");
    cr_expect_str_eq(json_text(json_get(answer, "better")), "sa");
    cr_expect_eq(json_number(json_get(answer, "a12")), 0.0);
    cr_expect_lt(json_number(json_get(answer, "p")), 0.01);
    cr_expect_eq(json_int(json_get(answer, "instances")), 6);
    json_free(answer);
    text_release(&body);
    /* A key that no run has, and lines that no export has. */
    cr_expect_not(compare_exported(NULL, "agent", &body, &status));
    cr_expect(status.message[0]);
    status = (Status){0};
    cr_expect_not(compare_exported("ga", "algorithm", &body, &status));
    cr_expect(strstr(status.message, "not a finished run"), "%s", status.message);
    text_release(&body);
}

/* Whoever sees that a job is done also gets its answer, even before the states are updated. */
Test(jobs, done_has_the_answer) {
    static const char question[] = "{\"agent\":\"random\",\"games\":1,\"max-pieces\":5,\"seed\":1}";
    Status status = {0};
    WebJobs *jobs = web_jobs_new(&status);
    for (int i = 0; i < 10; i++) {
        int64_t number;
        cr_assert(web_jobs_start(jobs, &simulate_job, question, strlen(question), &number, &status),
                  "%s", status.message);
        WebJob *simulation = web_jobs_take(jobs, &simulate_job, number);
        Text text = {0};
        bool done = false;
        while (!done) {
            text_clear(&text);
            web_job_write(jobs, simulation, &text);
            done = strstr(text.data, "\"state\":\"done\"") != NULL;
        }
        cr_assert(strstr(text.data, "\"per_game\"") != NULL, "%s", text.data);
        text_release(&text);
        web_jobs_give_back(jobs, simulation);
    }
    web_jobs_free(jobs);
}
