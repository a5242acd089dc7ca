/* clears_show: percent is a rate, a tree of rates by first pieces, and the queues that fail. */
#include "cli/clears_show.h"

#include "cli/cli.h"

#include <string.h>

enum { FAILED_SHOWN = 40, FAILED_COLUMNS = 80, SOLUTIONS_SHOWN = 20 };

static double percent_of(size_t part, size_t all) {
    return all > 0 ? 100 * (double)part / (double)all : 0;
}

/* A branch of the tree per line, depth first. */
static void show_tree(const ClearsRun *run, size_t first, size_t last, int depth, Text *text) {
    for (size_t i = first, end; i < last; i = end) {
        end = queues_same(&run->queues, i, last, depth + 1);
        size_t solved = percent_count(&run->percent, i, end);
        char letters[PATTERN_MAX_PIECES + 1];
        queue_letters(run->queues.codes[i], depth + 1, letters);
        text_format(text, "%*s%-*s %6.2f %%  %zu of %zu\n", 2 * depth, "",
                    (int)run->asked->tree_depth + 2 - depth, letters, percent_of(solved, end - i),
                    solved, end - i);
        if (depth + 1 < run->asked->tree_depth && depth + 1 < run->queues.length)
            show_tree(run, i, end, depth + 1, text);
    }
}

static void show_failed(const ClearsRun *run, Text *text) {
    const Percent *percent = &run->percent;
    size_t failed = percent->known - percent->solvable, shown = 0, column = 0;
    if (failed == 0 || run->asked->failed == 0)
        return;
    text_format(text, "\ncannot clear it%s:\n", failed > FAILED_SHOWN ? ", the first" : "");
    for (size_t i = 0;
         i < percent->known && shown < FAILED_SHOWN && shown < (size_t)run->asked->failed; i++) {
        if (percent->solved[i])
            continue;
        char letters[PATTERN_MAX_PIECES + 1];
        queue_letters(run->queues.codes[i], run->queues.length, letters);
        column += strlen(letters) + 1;
        if (column > FAILED_COLUMNS) {
            text_add_char(text, '\n');
            column = strlen(letters) + 1;
        }
        text_format(text, "%s%s", column == strlen(letters) + 1 ? "" : " ", letters);
        shown++;
    }
    text_add_char(text, '\n');
    if (failed > shown)
        text_format(text, "... %zu in all (--json lists %s)\n", failed,
                    failed > (size_t)run->asked->failed ? "those of --failed" : "them");
}

static void show_percent(const ClearsRun *run, Text *text) {
    const Percent *percent = &run->percent;
    if (percent->known == 0 && !clears_complete(run)) {
        text_format(text,
                    "nothing is decided yet: the search ended before the first of %zu queue%s\n",
                    run->queues.count, cli_plural((int64_t)run->queues.count));
        return;
    }
    text_format(text, "%zu of %zu queue%s %d line%s with %d piece%s: %.2f %%\n", percent->solvable,
                percent->known, percent->known == 1 ? " clears" : "s clear", run->area.lines,
                cli_plural(run->area.lines), run->pieces, cli_plural(run->pieces),
                percent_of(percent->solvable, percent->known));
    if (!clears_complete(run))
        text_format(text, "%zu of %zu queues are not decided yet\n",
                    run->queues.count - percent->known, run->queues.count);
    if (run->asked->tree_depth > 0 && percent->known > 0) {
        text_add_char(text, '\n');
        show_tree(run, 0, percent->known, 0, text);
    }
    show_failed(run, text);
}

static void show_solution(const ClearsRun *run, size_t index, Text *text) {
    const Solution *solution = &run->solutions.items[index];
    char letters[AREA_MAX_PIECES + 1];
    Text fumen = {0};
    clears_solution_pieces(solution, letters);
    text_format(text, "%5zu%s %6.2f %%  %zu of %zu  %s  ", index + 1,
                clears_is_minimal(run, index) ? "*" : " ",
                percent_of(solution->served, run->queues.count), solution->served,
                run->queues.count, letters);
    if (clears_solution_fumen(run, index, &fumen))
        text_add(text, fumen.data);
    text_add_char(text, '\n');
    text->failed |= fumen.failed;
    text_release(&fumen);
}

static void show_solutions(const ClearsRun *run, Text *text) {
    const Solutions *list = &run->solutions;
    size_t queues = run->queues.count, any = solutions_served(list, false, queues);
    bool cover = run->asked->find == FIND_COVER;
    if (!run->complete && list->count == 0) {
        text_format(text,
                    "nothing is decided yet: the search ended before the first solution for %zu "
                    "queue%s\n",
                    queues, cli_plural((int64_t)queues));
        return;
    }
    if (!cover)
        text_format(text, "%zu solution%s for %zu of %zu queue%s (%.2f %%)\n", list->count,
                    cli_plural((int64_t)list->count), any, queues, cli_plural((int64_t)queues),
                    percent_of(any, queues));
    if (run->asked->find == FIND_PATH && run->asked->minimal && run->minimal.count > 0)
        text_format(text, "%s set that serves all of them: %zu solution%s, marked *\n",
                    run->minimal.proved ? "smallest" : "a small", run->minimal.count,
                    cli_plural((int64_t)run->minimal.count));
    if (!run->complete)
        text_add(text, "the search ended early; there may be others\n");
    size_t shown = 0;
    for (size_t i = 0; i < list->count; i++)
        if (cover || i < SOLUTIONS_SHOWN || clears_is_minimal(run, i)) {
            show_solution(run, i, text);
            shown++;
        }
    if (shown < list->count)
        text_format(text, "... %zu in all (--json and --csv list them)\n", list->count);
    if (cover)
        text_format(text, "OR  %zu of %zu (%.2f %%)\nAND %zu of %zu (%.2f %%)\n", any, queues,
                    percent_of(any, queues), solutions_served(list, true, queues), queues,
                    percent_of(solutions_served(list, true, queues), queues));
}

static void show_move(const ChanceMove *move, Text *text) {
    text_format(text, "%6.2f %%  %s", 100 * move->probability, move->hold ? "hold" : "");
    if (move->placed)
        text_format(text, "%s%c %s x %d y %d", move->hold ? " " : "",
                    piece_letters[move->placement.piece], rotation_names[move->placement.rotation],
                    move->placement.x, move->placement.y);
    text_add(text, "; next");
    for (int p = 0; p < PIECE_COUNT; p++)
        if (move->next[p] >= 0)
            text_format(text, " %c %.1f", piece_letters[p], 100 * move->next[p]);
    text_add_char(text, '\n');
}

static void show_chance(const ClearsRun *run, Text *text) {
    const Chance *chance = &run->chance;
    if (!run->complete && chance->count == 0) {
        text_add(text,
                 "nothing is decided yet: the search ended before the first move was known\n");
        return;
    }
    if (!run->complete)
        text_format(text, "the search ended early, with %d first move%s known\n", chance->count,
                    cli_plural(chance->count));
    text_format(text, "probability of clearing %d line%s with %d piece%s: %.4f %%\n",
                run->area.lines, cli_plural(run->area.lines), run->pieces, cli_plural(run->pieces),
                100 * chance->probability);
    for (int i = 0; i < chance->count && i < SOLUTIONS_SHOWN; i++)
        show_move(&chance->moves[i], text);
    if (chance->count > SOLUTIONS_SHOWN)
        text_format(text, "... %d moves in all (--json lists them)\n", chance->count);
}

void clears_show(const ClearsRun *run, Text *text) {
    if (run->asked->find == FIND_PERCENT)
        show_percent(run, text);
    else if (run->asked->find == FIND_CHANCE)
        show_chance(run, text);
    else
        show_solutions(run, text);
}
