/* env: the type Env: many games stepped at once into numpy arrays. */
#include "native.h"

#include "tetropt.h"

#include <string.h>

enum { BUFFERS = 6, MOST_REACHABLE = 256 };

typedef struct EnvObject {
    PyObject ob_base;
    tetropt_env *env;
    Py_buffer views[BUFFERS]; /* the arrays that the library writes to */
    int taken;                /* how many of them are held */
    int games;
    bool busy;
} EnvObject;

static void release_views(EnvObject *self) {
    while (self->taken > 0)
        PyBuffer_Release(&self->views[--self->taken]);
}

static int env_init(PyObject *object, PyObject *arguments, PyObject *keywords) {
    EnvObject *self = (EnvObject *)object;
    static char *names[] = {"games", NULL};
    if (self->env) {
        PyErr_SetString(PyExc_RuntimeError, "an environment cannot be initialised twice");
        return -1;
    }
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "i:Env", names, &self->games))
        return -1;
    self->env = tetropt_env_new(self->games);
    if (!self->env)
        PyErr_Format(PyExc_ValueError, "games: %d is not in 1..1048576", self->games);
    return self->env ? 0 : -1;
}

static void env_dealloc(PyObject *object) {
    EnvObject *self = (EnvObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    tetropt_env_free(self->env);
    release_views(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *done(EnvObject *self, int code) {
    self->busy = false;
    if (code != TETROPT_OK)
        return native_fail(code, tetropt_env_message(self->env));
    Py_RETURN_NONE;
}

static PyObject *env_set(PyObject *object, PyObject *arguments) {
    EnvObject *self = (EnvObject *)object;
    const char *option, *value;
    if (!PyArg_ParseTuple(arguments, "ss:set", &option, &value) || !native_take(&self->busy))
        return NULL;
    return done(self, tetropt_env_set(self->env, option, value));
}

static PyObject *env_sizes(PyObject *object, PyObject *none) {
    (void)none;
    EnvObject *self = (EnvObject *)object;
    tetropt_env_layout layout;
    if (!native_take(&self->busy))
        return NULL;
    int code = tetropt_env_sizes(self->env, &layout);
    self->busy = false;
    if (code != TETROPT_OK)
        return native_fail(code, tetropt_env_message(self->env));
    return Py_BuildValue("{si si si si si si si si}", "games", layout.games, "actions",
                         layout.actions, "item_bytes", layout.item_bytes, "items", layout.items,
                         "board_items", layout.board_items, "board_rows", layout.board_rows,
                         "piece_items", layout.piece_items, "preview", layout.preview);
}

/* Takes the arrays and binds them. The sizes are checked here: the library trusts them. */
static PyObject *bind(EnvObject *self, PyObject *arrays[BUFFERS]) {
    tetropt_env_layout layout;
    int code = tetropt_env_sizes(self->env, &layout);
    if (code != TETROPT_OK)
        return native_fail(code, tetropt_env_message(self->env));
    const size_t bytes[BUFFERS] = {layout.observation_bytes, layout.observation_bytes,
                                   layout.reward_bytes,      layout.flag_bytes,
                                   layout.flag_bytes,        layout.mask_bytes};
    const Py_ssize_t items[BUFFERS] = {layout.item_bytes, layout.item_bytes, 4, 1, 1, 1};
    Py_buffer views[BUFFERS];
    int taken = 0;
    for (; taken < BUFFERS; taken++) {
        int flags = PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE | PyBUF_FORMAT;
        if (PyObject_GetBuffer(arrays[taken], &views[taken], flags) != 0)
            break;
        if ((size_t)views[taken].len != bytes[taken]) {
            PyErr_Format(PyExc_ValueError, "array %d: %zd bytes, not %zu", taken, views[taken].len,
                         bytes[taken]);
            PyBuffer_Release(&views[taken]);
            break;
        }
        if (views[taken].itemsize != items[taken] ||
            (items[taken] == 4 && strcmp(views[taken].format, "f") != 0)) {
            PyErr_Format(PyExc_ValueError, "array %d: %s of %zd byte%s are needed", taken,
                         items[taken] == 4 ? "floats" : "integers", items[taken],
                         items[taken] == 1 ? "" : "s");
            PyBuffer_Release(&views[taken]);
            break;
        }
    }
    if (taken == BUFFERS) {
        tetropt_env_buffers buffers = {.observations = views[0].buf,
                                       .final_observations = views[1].buf,
                                       .rewards = views[2].buf,
                                       .terminated = views[3].buf,
                                       .truncated = views[4].buf,
                                       .masks = views[5].buf};
        code = tetropt_env_bind(self->env, &buffers);
        if (code == TETROPT_OK) {
            release_views(self);
            memcpy(self->views, views, sizeof views);
            self->taken = BUFFERS;
            Py_RETURN_NONE;
        }
        native_fail(code, tetropt_env_message(self->env));
    }
    while (taken > 0)
        PyBuffer_Release(&views[--taken]);
    return NULL;
}

static PyObject *env_bind(PyObject *object, PyObject *arguments) {
    EnvObject *self = (EnvObject *)object;
    PyObject *arrays[BUFFERS];
    if (!PyArg_ParseTuple(arguments, "OOOOOO:bind", &arrays[0], &arrays[1], &arrays[2], &arrays[3],
                          &arrays[4], &arrays[5]) ||
        !native_take(&self->busy))
        return NULL;
    PyObject *result = bind(self, arrays);
    self->busy = false;
    return result;
}

/* A contiguous array with one item per game; false with an exception. */
static bool take_items(EnvObject *self, PyObject *array, const char *name, const char *formats,
                       Py_ssize_t bytes, Py_buffer *view) {
    if (PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s: a contiguous array is needed", name);
        return false;
    }
    if (view->itemsize == bytes && view->len == bytes * self->games && view->format &&
        strlen(view->format) == 1 && strchr(formats, view->format[0]))
        return true;
    PyErr_Format(PyExc_ValueError, "%s: %d integers of %zd bytes are needed", name, self->games,
                 bytes);
    PyBuffer_Release(view);
    return false;
}

static PyObject *env_reset(PyObject *object, PyObject *seeds) {
    EnvObject *self = (EnvObject *)object;
    Py_buffer view;
    bool given = seeds != Py_None;
    if (given && !take_items(self, seeds, "seeds", "LQ", 8, &view))
        return NULL;
    PyObject *result = NULL;
    if (native_take(&self->busy)) {
        int code;
        Py_BEGIN_ALLOW_THREADS
        code = tetropt_env_reset(self->env, given ? (const uint64_t *)view.buf : NULL);
        Py_END_ALLOW_THREADS
        result = done(self, code);
    }
    if (given)
        PyBuffer_Release(&view);
    return result;
}

static PyObject *env_step(PyObject *object, PyObject *actions) {
    EnvObject *self = (EnvObject *)object;
    Py_buffer view;
    if (!take_items(self, actions, "actions", "il", 4, &view))
        return NULL;
    PyObject *result = NULL;
    if (native_take(&self->busy)) {
        int code;
        Py_BEGIN_ALLOW_THREADS
        code = tetropt_env_step(self->env, view.buf);
        Py_END_ALLOW_THREADS
        result = done(self, code);
    }
    PyBuffer_Release(&view);
    return result;
}

static PyObject *env_look(PyObject *object, PyObject *arguments) {
    EnvObject *self = (EnvObject *)object;
    int game;
    tetropt_env_info info;
    if (!PyArg_ParseTuple(arguments, "i:look", &game) || !native_take(&self->busy))
        return NULL;
    int code = tetropt_env_look(self->env, game, &info);
    self->busy = false;
    if (code != TETROPT_OK)
        return native_fail(code, tetropt_env_message(self->env));
    return Py_BuildValue("{sK sK sL sL sL sL si}", "seed", (unsigned long long)info.seed, "episode",
                         (unsigned long long)info.episode, "steps", (long long)info.steps, "pieces",
                         (long long)info.pieces, "lines", (long long)info.lines, "score",
                         (long long)info.score, "over", info.over);
}

static PyObject *env_placements(PyObject *object, PyObject *arguments) {
    EnvObject *self = (EnvObject *)object;
    int game;
    tetropt_placement placements[MOST_REACHABLE];
    if (!PyArg_ParseTuple(arguments, "i:placements", &game) || !native_take(&self->busy))
        return NULL;
    int count = tetropt_env_placements(self->env, game, placements, MOST_REACHABLE);
    self->busy = false;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count && i < MOST_REACHABLE; i++) {
        PyObject *item = native_placement(&placements[i]);
        if (!item || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyMethodDef methods[] = {
    {"set", env_set, METH_VARARGS, "set(option, value)\n--\n\nSets an option; both are texts."},
    {"sizes", env_sizes, METH_NOARGS, "sizes()\n--\n\nThe shapes of the arrays as a dict."},
    {"bind", env_bind, METH_VARARGS,
     "bind(observations, finals, rewards, terminated, truncated, masks)\n--\n\nThe arrays that are "
     "written to from now on."},
    {"reset", env_reset, METH_O, "reset(seeds)\n--\n\nStarts all games; seeds is None or uint64."},
    {"step", env_step, METH_O, "step(actions)\n--\n\nOne action (int32) per game."},
    {"look", env_look, METH_VARARGS, "look(game)\n--\n\nThe state of one game as a dict."},
    {"placements", env_placements, METH_VARARGS,
     "placements(game)\n--\n\nThe reachable placements of a game by their numbers."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"Env(games)\n--\n\nMany games at once."},
                              {Py_tp_new, (void *)PyType_GenericNew},
                              {Py_tp_init, (void *)env_init},
                              {Py_tp_dealloc, (void *)env_dealloc},
                              {Py_tp_methods, methods},
                              {0, NULL}};

static PyType_Spec spec = {"tetropt._native.Env", sizeof(EnvObject), 0, Py_TPFLAGS_DEFAULT, slots};

bool native_add_env(PyObject *module) {
    return native_add_type(module, "Env", &spec);
}
