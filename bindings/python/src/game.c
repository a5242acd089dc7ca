/* game: the type Game: one game that is played by keys or by placements. */
#include "native.h"

#include "tetropt.h"

enum { MOST_PLACEMENTS = 1024, MOST_KEYS = 512, TEXT_BYTES = 4096 };

typedef struct GameObject {
    PyObject ob_base;
    tetropt_game *game;
    bool busy;
} GameObject;

static int game_init(PyObject *object, PyObject *arguments, PyObject *keywords) {
    GameObject *self = (GameObject *)object;
    static char *names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, ":Game", names))
        return -1;
    if (!self->game)
        self->game = tetropt_game_new();
    if (!self->game)
        PyErr_NoMemory();
    return self->game ? 0 : -1;
}

static void game_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    tetropt_game_free(((GameObject *)object)->game);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

tetropt_game *native_game_take(PyObject *object) {
    GameObject *self = (GameObject *)object;
    return native_take(&self->busy) ? self->game : NULL;
}

void native_game_give(PyObject *object) {
    ((GameObject *)object)->busy = false;
}

/* ---- placements */

PyObject *native_placement(const tetropt_placement *placement) {
    return Py_BuildValue("(Ciiiii)", placement->piece, placement->rotation, placement->x,
                         placement->y, placement->spin, placement->hold);
}

bool native_read_placement(PyObject *tuple, tetropt_placement *placement) {
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError,
                        "a placement is a tuple (piece, rotation, x, y, spin, hold)");
        return false;
    }
    int piece;
    if (!PyArg_ParseTuple(tuple, "Ciiiii:placement", &piece, &placement->rotation, &placement->x,
                          &placement->y, &placement->spin, &placement->hold))
        return false;
    placement->piece = piece;
    return true;
}

/* ---- methods: each takes the game, asks the library, and gives the game back */

/* None, or the exception of a code. */
static PyObject *done(GameObject *self, int code) {
    self->busy = false;
    if (code != TETROPT_OK)
        return native_fail(code, tetropt_game_message(self->game));
    Py_RETURN_NONE;
}

static PyObject *game_set(PyObject *object, PyObject *arguments) {
    GameObject *self = (GameObject *)object;
    const char *option, *value;
    if (!PyArg_ParseTuple(arguments, "ss:set", &option, &value) || !native_take(&self->busy))
        return NULL;
    return done(self, tetropt_game_set(self->game, option, value));
}

static PyObject *game_start(PyObject *object, PyObject *none) {
    (void)none;
    GameObject *self = (GameObject *)object;
    return native_take(&self->busy) ? done(self, tetropt_game_start(self->game)) : NULL;
}

static PyObject *game_copy(PyObject *object, PyObject *none) {
    (void)none;
    GameObject *self = (GameObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (!native_take(&self->busy))
        return NULL;
    tetropt_game *copy = tetropt_game_copy(self->game);
    self->busy = false;
    if (!copy)
        return PyErr_NoMemory();
    GameObject *other = (GameObject *)PyType_GenericNew(type, NULL, NULL);
    if (other)
        other->game = copy;
    else
        tetropt_game_free(copy);
    return (PyObject *)other;
}

static PyObject *game_press(PyObject *object, PyObject *arguments) {
    GameObject *self = (GameObject *)object;
    int key;
    if (!PyArg_ParseTuple(arguments, "i:press", &key) || !native_take(&self->busy))
        return NULL;
    int code = tetropt_game_press(self->game, key);
    self->busy = false;
    if (code == TETROPT_OK)
        Py_RETURN_TRUE;
    if (code == TETROPT_UNMET)
        Py_RETURN_FALSE;
    return native_fail(code, tetropt_game_message(self->game));
}

static PyObject *game_place(PyObject *object, PyObject *placement) {
    GameObject *self = (GameObject *)object;
    tetropt_placement where;
    if (!native_read_placement(placement, &where) || !native_take(&self->busy))
        return NULL;
    return done(self, tetropt_game_place(self->game, &where));
}

static PyObject *game_placements(PyObject *object, PyObject *none) {
    (void)none;
    GameObject *self = (GameObject *)object;
    tetropt_placement placements[MOST_PLACEMENTS];
    if (!native_take(&self->busy))
        return NULL;
    int count = tetropt_game_placements(self->game, placements, MOST_PLACEMENTS);
    self->busy = false;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count && i < MOST_PLACEMENTS; i++) {
        PyObject *item = native_placement(&placements[i]);
        if (!item || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *game_keys(PyObject *object, PyObject *placement) {
    GameObject *self = (GameObject *)object;
    tetropt_placement where;
    if (!native_read_placement(placement, &where) || !native_take(&self->busy))
        return NULL;
    int keys[MOST_KEYS];
    int count = tetropt_game_keys(self->game, &where, keys, MOST_KEYS);
    self->busy = false;
    if (count < 0)
        Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count && i < MOST_KEYS; i++) {
        PyObject *item = PyLong_FromLong(keys[i]);
        if (!item || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *game_text(PyObject *object, PyObject *none) {
    (void)none;
    GameObject *self = (GameObject *)object;
    char text[TEXT_BYTES] = "";
    if (!native_take(&self->busy))
        return NULL;
    tetropt_game_text(self->game, text, sizeof text);
    self->busy = false;
    return PyUnicode_FromString(text);
}

/* A piece's letter, or None. */
static PyObject *letter(int piece) {
    if (piece == 0)
        Py_RETURN_NONE;
    char text[2] = {(char)piece, '\0'};
    return PyUnicode_FromString(text);
}

/* The state as a tuple: width, height, current, held, next, score, lines, pieces, over. */
static PyObject *game_state(PyObject *object, PyObject *none) {
    (void)none;
    GameObject *self = (GameObject *)object;
    if (!native_take(&self->busy))
        return NULL;
    const tetropt_game *game = self->game;
    char next[64];
    int count = 0, piece;
    while (count < (int)sizeof next - 1 && (piece = tetropt_game_next(game, count)))
        next[count++] = (char)piece;
    next[count] = '\0';
    PyObject *state =
        Py_BuildValue("(iiNNsLLLi)", tetropt_game_width(game), tetropt_game_height(game),
                      letter(tetropt_game_current(game)), letter(tetropt_game_held(game)), next,
                      (long long)tetropt_game_score(game), (long long)tetropt_game_lines(game),
                      (long long)tetropt_game_pieces(game), tetropt_game_over(game));
    self->busy = false;
    return state;
}

static PyMethodDef methods[] = {
    {"set", game_set, METH_VARARGS, "set(option, value)\n--\n\nSets an option; both are texts."},
    {"start", game_start, METH_NOARGS, "start()\n--\n\nBegins a game."},
    {"copy", game_copy, METH_NOARGS, "copy()\n--\n\nAnother game in the same state."},
    {"press", game_press, METH_VARARGS,
     "press(key)\n--\n\nPresses a key; False if it did nothing."},
    {"place", game_place, METH_O, "place(placement)\n--\n\nLocks a piece."},
    {"placements", game_placements, METH_NOARGS,
     "placements()\n--\n\nThe placements of this turn."},
    {"keys", game_keys, METH_O,
     "keys(placement)\n--\n\nThe fewest keys to a placement; None if there is no way."},
    {"text", game_text, METH_NOARGS, "text()\n--\n\nThe board as text, rows from the top."},
    {"state", game_state, METH_NOARGS,
     "state()\n--\n\n(width, height, current, held, next, score, lines, pieces, over)"},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"Game()\n--\n\nOne game."},
                              {Py_tp_new, (void *)PyType_GenericNew},
                              {Py_tp_init, (void *)game_init},
                              {Py_tp_dealloc, (void *)game_dealloc},
                              {Py_tp_methods, methods},
                              {0, NULL}};

static PyType_Spec spec = {"tetropt._native.Game", sizeof(GameObject), 0, Py_TPFLAGS_DEFAULT,
                           slots};

bool native_add_game(PyObject *module) {
    return native_add_type(module, "Game", &spec);
}
