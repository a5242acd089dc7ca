/* custom: agents whose functions are Python functions. They live until the process ends, as the
 * library demands. */
#include "native.h"

#include "tetropt.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FEATURES = 40, NAME_BYTES = 64 };

typedef struct Custom {
    tetropt_agent_definition definition;
    PyObject *function;
    char name[NAME_BYTES], summary[NAME_BYTES * 2];
    char names[MOST_FEATURES][NAME_BYTES];
    const char *name_list[MOST_FEATURES];
    double weights[MOST_FEATURES];
} Custom;

static PyObject *columns_list(const uint64_t *columns, int width) {
    PyObject *list = PyList_New(width);
    for (int x = 0; list && x < width; x++)
        PyList_SetItem(list, x, PyLong_FromUnsignedLongLong(columns[x]));
    return list;
}

/* function(width, height, columns, current, held, queue, placements, lines, pieces_left, random)
 * returns an index. */
static int choose(void *context, const tetropt_view *view) {
    Custom *custom = context;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *placements = PyList_New(view->placement_count);
    for (int i = 0; placements && i < view->placement_count; i++)
        PyList_SetItem(placements, i, native_placement(&view->placements[i]));
    PyObject *answer = PyObject_CallFunction(
        custom->function, "iiNCCsNLLK", view->width, view->height,
        columns_list(view->columns, view->width), view->current ? view->current : ' ',
        view->held ? view->held : ' ', view->queue, placements, (long long)view->lines,
        (long long)view->pieces_left, (unsigned long long)view->random);
    long index = answer ? PyLong_AsLong(answer) : 0;
    if (PyErr_Occurred()) {
        native_keep_error();
        index = 0;
    }
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return index < 0 || index >= view->placement_count ? 0 : (int)index;
}

/* function(width, height, before, after, placement, lines, held) returns the values. */
static void features(void *context, const tetropt_move *move, double *values) {
    Custom *custom = context;
    int count = custom->definition.feature_count;
    memset(values, 0, (size_t)count * sizeof *values);
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = PyObject_CallFunction(
        custom->function, "iiNNNiC", move->width, move->height,
        columns_list(move->before, move->width), columns_list(move->after, move->width),
        native_placement(&move->placement), move->lines, move->held ? move->held : ' ');
    if (answer && PySequence_Size(answer) != count && !PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "%s: %d values are needed", custom->name, count);
    for (int i = 0; answer && i < count && !PyErr_Occurred(); i++) {
        PyObject *item = PySequence_GetItem(answer, i);
        values[i] = item ? PyFloat_AsDouble(item) : 0;
        Py_XDECREF(item);
    }
    if (PyErr_Occurred()) {
        native_keep_error();
        memset(values, 0, (size_t)count * sizeof *values);
    }
    Py_XDECREF(answer);
    PyGILState_Release(state);
}

/* Copies the names and weights of features; false with an exception. */
static bool take_features(Custom *custom, PyObject *names, PyObject *weights) {
    Py_ssize_t count = PySequence_Size(names);
    if (count < 0 || PySequence_Size(weights) < 0)
        return false;
    if (count < 1 || count > MOST_FEATURES || PySequence_Size(weights) != count) {
        PyErr_Format(PyExc_ValueError, "names and weights: 1 to %d of each are needed",
                     MOST_FEATURES);
        return false;
    }
    for (int i = 0; i < count; i++) {
        PyObject *name = PySequence_GetItem(names, i), *weight = PySequence_GetItem(weights, i);
        const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        custom->weights[i] = weight ? PyFloat_AsDouble(weight) : 0;
        if (text) {
            strncpy(custom->names[i], text, NAME_BYTES - 1);
            custom->name_list[i] = custom->names[i];
        }
        Py_XDECREF(name);
        Py_XDECREF(weight);
        if (PyErr_Occurred())
            return false;
    }
    custom->definition.feature_count = (int)count;
    custom->definition.feature_names = custom->name_list;
    custom->definition.weights = custom->weights;
    return true;
}

/* Makes the agent known; frees what was allocated when that fails. */
static PyObject *make_known(Custom *custom, const char *name, const char *summary,
                            PyObject *function) {
    char message[256] = "";
    strncpy(custom->name, name, sizeof custom->name - 1);
    strncpy(custom->summary, summary, sizeof custom->summary - 1);
    custom->definition.abi = TETROPT_AGENT_ABI;
    custom->definition.name = custom->name;
    custom->definition.summary = custom->summary;
    custom->definition.context = custom;
    custom->function = Py_NewRef(function);
    int code = tetropt_agent_custom(&custom->definition, message, sizeof message);
    if (code == TETROPT_OK)
        Py_RETURN_NONE;
    Py_DECREF(custom->function);
    free(custom);
    return native_fail(code, message);
}

PyObject *native_register_agent(PyObject *self, PyObject *arguments) {
    (void)self;
    const char *name, *summary;
    PyObject *function;
    int hold, preview;
    if (!PyArg_ParseTuple(arguments, "ssOii:register_agent", &name, &summary, &function, &hold,
                          &preview))
        return NULL;
    Custom *custom = calloc(1, sizeof *custom);
    if (!custom)
        return PyErr_NoMemory();
    custom->definition.choose = choose;
    custom->definition.hold = hold;
    custom->definition.preview = preview;
    return make_known(custom, name, summary, function);
}

PyObject *native_register_features(PyObject *self, PyObject *arguments) {
    (void)self;
    const char *name, *summary;
    PyObject *function, *names, *weights;
    int hold;
    if (!PyArg_ParseTuple(arguments, "ssOOOi:register_features", &name, &summary, &function, &names,
                          &weights, &hold))
        return NULL;
    Custom *custom = calloc(1, sizeof *custom);
    if (!custom)
        return PyErr_NoMemory();
    custom->definition.features = features;
    custom->definition.hold = hold;
    if (!take_features(custom, names, weights)) {
        free(custom);
        return NULL;
    }
    return make_known(custom, name, summary, function);
}
