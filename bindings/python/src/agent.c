/* agent: the type Agent: one that chooses placements and plays games. */
#include "native.h"

#include "tetropt.h"

typedef struct AgentObject {
    PyObject ob_base;
    tetropt_agent *agent;
    bool busy;
} AgentObject;

static PyTypeObject *game_type; /* of this module; the module keeps it alive */

static int agent_init(PyObject *object, PyObject *arguments, PyObject *keywords) {
    AgentObject *self = (AgentObject *)object;
    static char *names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, ":Agent", names))
        return -1;
    if (!self->agent)
        self->agent = tetropt_agent_new();
    if (!self->agent)
        PyErr_NoMemory();
    return self->agent ? 0 : -1;
}

static void agent_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    tetropt_agent_free(((AgentObject *)object)->agent);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *done(AgentObject *self, int code) {
    self->busy = false;
    if (code != TETROPT_OK)
        return native_fail(code, tetropt_agent_message(self->agent));
    Py_RETURN_NONE;
}

static PyObject *agent_set(PyObject *object, PyObject *arguments) {
    AgentObject *self = (AgentObject *)object;
    const char *option, *value;
    if (!PyArg_ParseTuple(arguments, "ss:set", &option, &value) || !native_take(&self->busy))
        return NULL;
    return done(self, tetropt_agent_set(self->agent, option, value));
}

static PyObject *agent_set_weights(PyObject *object, PyObject *arguments) {
    AgentObject *self = (AgentObject *)object;
    const char *kind;
    PyObject *sequence;
    if (!PyArg_ParseTuple(arguments, "sO:set_weights", &kind, &sequence))
        return NULL;
    Py_ssize_t count = PySequence_Size(sequence);
    if (count < 0)
        return NULL;
    double *weights = PyMem_Malloc(((size_t)count + 1) * sizeof *weights);
    if (!weights)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        weights[i] = item ? PyFloat_AsDouble(item) : 0;
        Py_XDECREF(item);
    }
    PyObject *result = NULL;
    if (!PyErr_Occurred() && native_take(&self->busy))
        result = done(self, tetropt_agent_set_weights(self->agent, kind, weights, (int)count));
    PyMem_Free(weights);
    return result;
}

/* A call about a game: both handles are taken, the interpreter is free meanwhile. */
static PyObject *agent_choose(PyObject *object, PyObject *game_object) {
    AgentObject *self = (AgentObject *)object;
    if (!PyObject_TypeCheck(game_object, game_type)) {
        PyErr_SetString(PyExc_TypeError, "a Game is needed");
        return NULL;
    }
    if (!native_take(&self->busy))
        return NULL;
    tetropt_game *game = native_game_take(game_object);
    if (!game) {
        self->busy = false;
        return NULL;
    }
    tetropt_placement placement;
    int code;
    Py_BEGIN_ALLOW_THREADS
    code = tetropt_agent_choose(self->agent, game, &placement);
    Py_END_ALLOW_THREADS
    native_game_give(game_object);
    self->busy = false;
    if (native_raise_pending())
        return NULL;
    if (code == TETROPT_UNMET)
        Py_RETURN_NONE;
    if (code != TETROPT_OK)
        return native_fail(code, tetropt_agent_message(self->agent));
    return native_placement(&placement);
}

typedef struct Play {
    AgentObject *self;
    tetropt_game *game;
    long long pieces;
    volatile int stopped; /* set by the thread that waits, read by the one that plays */
} Play;

static int watch(void *context, const tetropt_game *game) {
    (void)game;
    return ((Play *)context)->stopped;
}

static int play(void *context) {
    Play *given = context;
    return tetropt_agent_play(given->self->agent, given->game, given->pieces, watch, given);
}

static void stop(void *context) {
    ((Play *)context)->stopped = 1;
}

static PyObject *agent_play(PyObject *object, PyObject *arguments) {
    AgentObject *self = (AgentObject *)object;
    PyObject *game_object;
    Play given = {.self = self};
    if (!PyArg_ParseTuple(arguments, "O!|L:play", game_type, &game_object, &given.pieces) ||
        !native_take(&self->busy))
        return NULL;
    given.game = native_game_take(game_object);
    if (!given.game) {
        self->busy = false;
        return NULL;
    }
    int code = native_run(play, stop, &given);
    native_game_give(game_object);
    self->busy = false;
    if (code < 0 || native_raise_pending())
        return NULL;
    return done(self, code);
}

static PyMethodDef methods[] = {
    {"set", agent_set, METH_VARARGS, "set(option, value)\n--\n\nSets an option; both are texts."},
    {"set_weights", agent_set_weights, METH_VARARGS,
     "set_weights(kind, weights)\n--\n\nWeights for the features of a kind."},
    {"choose", agent_choose, METH_O,
     "choose(game)\n--\n\nThe placement it chooses; None when the game is over."},
    {"play", agent_play, METH_VARARGS,
     "play(game, pieces=0)\n--\n\nPlays to the end, or until so many pieces are locked."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"Agent()\n--\n\nOne that plays."},
                              {Py_tp_new, (void *)PyType_GenericNew},
                              {Py_tp_init, (void *)agent_init},
                              {Py_tp_dealloc, (void *)agent_dealloc},
                              {Py_tp_methods, methods},
                              {0, NULL}};

static PyType_Spec spec = {"tetropt._native.Agent", sizeof(AgentObject), 0, Py_TPFLAGS_DEFAULT,
                           slots};

bool native_add_agent(PyObject *module) {
    PyObject *type = PyObject_GetAttrString(module, "Game");
    game_type = (PyTypeObject *)type;
    return type && native_add_type(module, "Agent", &spec);
}
