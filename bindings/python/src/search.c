/* search: the type Search: one of the optimisers, asked and told, or run as a whole. */
#include "native.h"

#include "tetropt.h"

#include <string.h>

typedef struct SearchObject {
    PyObject ob_base;
    tetropt_search *search;
    PyObject *problem;  /* kept: a custom problem is called during a run */
    PyObject *progress; /* a callable, or NULL */
    int genes;
    bool busy;
} SearchObject;

static int search_init(PyObject *object, PyObject *arguments, PyObject *keywords) {
    SearchObject *self = (SearchObject *)object;
    static char *names[] = {"problem", "algorithm", NULL};
    PyObject *given;
    const char *algorithm;
    if (self->search) {
        PyErr_SetString(PyExc_RuntimeError, "a search cannot be initialised twice");
        return -1;
    }
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!s:Search", names,
                                     native_problem_type(), &given, &algorithm))
        return -1;
    tetropt_problem *problem = native_problem_take(given);
    if (!problem)
        return -1;
    self->genes = tetropt_problem_genes(problem);
    self->search = tetropt_search_new(problem, algorithm);
    native_problem_give(given);
    if (self->search)
        self->problem = Py_NewRef(given);
    else if (self->genes == 0)
        PyErr_SetString(PyExc_ValueError, tetropt_problem_message(problem));
    else
        PyErr_Format(PyExc_ValueError, "unknown algorithm '%s'", algorithm);
    return self->search ? 0 : -1;
}

static void search_dealloc(PyObject *object) {
    SearchObject *self = (SearchObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    /* It may wait for a thread that evaluates. */
    Py_BEGIN_ALLOW_THREADS
    tetropt_search_free(self->search);
    Py_END_ALLOW_THREADS
    Py_XDECREF(self->problem);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *fail(SearchObject *self, int code) {
    if (native_raise_pending())
        return NULL;
    return native_fail(code, tetropt_search_message(self->search));
}

static PyObject *search_set(PyObject *object, PyObject *arguments) {
    SearchObject *self = (SearchObject *)object;
    const char *option, *value;
    if (!PyArg_ParseTuple(arguments, "ss:set", &option, &value) || !native_take(&self->busy))
        return NULL;
    int code = tetropt_search_set(self->search, option, value);
    self->busy = false;
    if (code != TETROPT_OK)
        return fail(self, code);
    Py_RETURN_NONE;
}

/* With None: how many genotypes wait. Else fills rows of an array and returns how many. */
static PyObject *search_ask(PyObject *object, PyObject *out) {
    SearchObject *self = (SearchObject *)object;
    Py_buffer view = {0};
    bool given = out != Py_None;
    if (given && !native_array(out, "genes", "h", true, &view))
        return NULL;
    PyObject *result = NULL;
    if (native_take(&self->busy)) {
        size_t items = (size_t)view.len / sizeof(int16_t);
        size_t rows = self->genes > 0 ? items / (size_t)self->genes : 0;
        int64_t count;
        Py_BEGIN_ALLOW_THREADS
        count = tetropt_search_ask(self->search, view.buf, rows);
        Py_END_ALLOW_THREADS
        self->busy = false;
        result = count < 0 ? fail(self, TETROPT_INPUT) : PyLong_FromLongLong(count);
    }
    if (given)
        PyBuffer_Release(&view);
    return result;
}

static PyObject *search_tell(PyObject *object, PyObject *given) {
    SearchObject *self = (SearchObject *)object;
    Py_buffer view;
    if (!native_array(given, "fitness", "d", false, &view))
        return NULL;
    PyObject *result = NULL;
    if (native_take(&self->busy)) {
        int code;
        Py_BEGIN_ALLOW_THREADS
        code = tetropt_search_tell(self->search, view.buf, (size_t)view.len / sizeof(double));
        Py_END_ALLOW_THREADS
        self->busy = false;
        result = code == TETROPT_OK ? Py_NewRef(Py_None) : fail(self, code);
    }
    PyBuffer_Release(&view);
    return result;
}

static int run_search(void *search) {
    return tetropt_search_run(search);
}

static void stop_search(void *search) {
    tetropt_search_stop(search);
}

static int tell_progress(void *context, uint64_t done, double best) {
    return native_call_progress(((SearchObject *)context)->progress, done, best);
}

static PyObject *search_run(PyObject *object, PyObject *progress) {
    SearchObject *self = (SearchObject *)object;
    if (progress != Py_None && !PyCallable_Check(progress)) {
        PyErr_SetString(PyExc_TypeError, "progress must be callable");
        return NULL;
    }
    if (!native_take(&self->busy))
        return NULL;
    self->progress = progress == Py_None ? NULL : Py_NewRef(progress);
    tetropt_search_on_progress(self->search, self->progress ? tell_progress : NULL, self);
    int code = native_run(run_search, stop_search, self->search);
    Py_CLEAR(self->progress);
    self->busy = false;
    if (code < 0 || native_raise_pending())
        return NULL;
    if (code != TETROPT_OK)
        return fail(self, code);
    Py_RETURN_NONE;
}

/* May be called by any thread. */
static PyObject *search_stop(PyObject *object, PyObject *none) {
    (void)none;
    tetropt_search_stop(((SearchObject *)object)->search);
    Py_RETURN_NONE;
}

/* Fills an array with the best genotype; its fitness, or None. */
static PyObject *search_best(PyObject *object, PyObject *out) {
    SearchObject *self = (SearchObject *)object;
    Py_buffer view;
    if (!native_array(out, "genes", "h", true, &view))
        return NULL;
    PyObject *result = NULL;
    if (view.len != self->genes * (Py_ssize_t)sizeof(int16_t)) {
        PyErr_Format(PyExc_ValueError, "genes: one row of %d is needed", self->genes);
    } else if (native_take(&self->busy)) {
        double fitness;
        int code = tetropt_search_best(self->search, view.buf, &fitness);
        self->busy = false;
        if (code == TETROPT_UNMET)
            result = Py_NewRef(Py_None);
        else
            result = code == TETROPT_OK ? PyFloat_FromDouble(fitness) : fail(self, code);
    }
    PyBuffer_Release(&view);
    return result;
}

static PyObject *search_evaluations(PyObject *object, PyObject *none) {
    (void)none;
    return PyLong_FromUnsignedLongLong(
        tetropt_search_evaluations(((SearchObject *)object)->search));
}

static PyObject *search_end(PyObject *object, PyObject *none) {
    (void)none;
    SearchObject *self = (SearchObject *)object;
    if (!native_take(&self->busy))
        return NULL;
    PyObject *end = PyUnicode_FromString(tetropt_search_end(self->search));
    self->busy = false;
    return end;
}

static PyMethodDef methods[] = {
    {"set", search_set, METH_VARARGS, "set(option, value)\n--\n\nSets an option; both are texts."},
    {"ask", search_ask, METH_O,
     "ask(genes)\n--\n\nFills rows and returns how many; None: how many wait."},
    {"tell", search_tell, METH_O, "tell(fitness)\n--\n\nThe fitness of all that were asked for."},
    {"run", search_run, METH_O, "run(progress)\n--\n\nRuns the whole search."},
    {"stop", search_stop, METH_NOARGS, "stop()\n--\n\nEnds a run from another thread."},
    {"best", search_best, METH_O,
     "best(genes)\n--\n\nFills a row with the best genotype and returns its fitness."},
    {"evaluations", search_evaluations, METH_NOARGS, "evaluations()\n--\n\nHow many so far."},
    {"end", search_end, METH_NOARGS, "end()\n--\n\nWhy it ended; empty before."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"Search(problem, algorithm)\n--\n\nAn optimiser on a problem."},
    {Py_tp_new, (void *)PyType_GenericNew},
    {Py_tp_init, (void *)search_init},
    {Py_tp_dealloc, (void *)search_dealloc},
    {Py_tp_methods, methods},
    {0, NULL}};

static PyType_Spec spec = {"tetropt._native.Search", sizeof(SearchObject), 0, Py_TPFLAGS_DEFAULT,
                           slots};

bool native_add_search(PyObject *module) {
    return native_add_type(module, "Search", &spec);
}
