/* problem: the type Problem: genotypes in arrays, their fitness into an array, without copies. */
#include "native.h"

#include "tetropt.h"

#include <string.h>

/* Rows of one call into the library; between calls Ctrl-C is seen. */
enum { CHUNK_ROWS = 1 << 18 };

typedef struct ProblemObject {
    PyObject ob_base;
    tetropt_problem *problem;
    PyObject *function; /* of a custom problem: fitness(memoryview of int16, rows, memoryview) */
    bool busy;
} ProblemObject;

/* Calls the function of a custom problem, from whichever thread evaluates. */
static int ask_function(void *context, const int16_t *genes, size_t count, double *fitness) {
    ProblemObject *self = context;
    PyGILState_STATE state = PyGILState_Ensure();
    int columns = tetropt_problem_genes(self->problem);
    Py_ssize_t bytes = (Py_ssize_t)(count * (size_t)columns * sizeof *genes);
    PyObject *rows = PyMemoryView_FromMemory((char *)(uintptr_t)genes, bytes, PyBUF_READ);
    PyObject *out = PyMemoryView_FromMemory((char *)fitness, (Py_ssize_t)(count * sizeof *fitness),
                                            PyBUF_WRITE);
    PyObject *answer =
        rows && out ? PyObject_CallFunction(self->function, "OnO", rows, (Py_ssize_t)count, out)
                    : NULL;
    bool ok = answer != NULL;
    if (!ok)
        native_keep_error();
    Py_XDECREF(answer);
    Py_XDECREF(out);
    Py_XDECREF(rows);
    PyGILState_Release(state);
    return ok ? 0 : 1;
}

/* The integers of a sequence, for PyMem_Free; NULL with an exception. */
static int *integers(PyObject *sequence, Py_ssize_t count) {
    int *values = PyMem_Malloc(((size_t)count + 1) * sizeof *values);
    if (!values)
        return (int *)(void *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        long value = item ? PyLong_AsLong(item) : 0;
        values[i] = value < INT16_MIN - 1 || value > INT16_MAX + 1 ? INT16_MAX + 1 : (int)value;
        Py_XDECREF(item);
    }
    if (!PyErr_Occurred())
        return values;
    PyMem_Free(values);
    return NULL;
}

static bool make_custom(ProblemObject *self, PyObject *low, PyObject *high, PyObject *function) {
    Py_ssize_t count = PySequence_Size(low);
    if (count < 0 || PySequence_Size(high) != count || count > 1000000 ||
        !PyCallable_Check(function)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError,
                            "low and high must have one value per gene, and fitness be callable");
        return false;
    }
    int *lowest = integers(low, count), *highest = lowest ? integers(high, count) : NULL;
    if (highest) {
        self->function = Py_NewRef(function);
        self->problem = tetropt_problem_custom((int)count, lowest, highest, ask_function, self);
        if (!self->problem)
            PyErr_SetString(PyExc_ValueError, "low and high: a range is invalid or too large");
    }
    PyMem_Free(lowest);
    PyMem_Free(highest);
    return self->problem != NULL;
}

static int problem_init(PyObject *object, PyObject *arguments, PyObject *keywords) {
    ProblemObject *self = (ProblemObject *)object;
    static char *names[] = {"kind", "low", "high", "fitness", NULL};
    const char *kind;
    PyObject *low = NULL, *high = NULL, *function = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "s|OOO:Problem", names, &kind, &low,
                                     &high, &function))
        return -1;
    if (self->problem) {
        PyErr_SetString(PyExc_RuntimeError, "a problem cannot be initialised twice");
        return -1;
    }
    if (function)
        return make_custom(self, low, high, function) ? 0 : -1;
    self->problem = tetropt_problem_new(kind);
    if (!self->problem)
        PyErr_Format(PyExc_ValueError, "unknown kind of problem '%s'", kind);
    return self->problem ? 0 : -1;
}

static void problem_dealloc(PyObject *object) {
    ProblemObject *self = (ProblemObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    tetropt_problem_free(self->problem);
    Py_XDECREF(self->function);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

tetropt_problem *native_problem_take(PyObject *object) {
    ProblemObject *self = (ProblemObject *)object;
    return native_take(&self->busy) ? self->problem : NULL;
}

void native_problem_give(PyObject *object) {
    ((ProblemObject *)object)->busy = false;
}

/* ---- arrays */

/* The rows that an array of genes has; -1 with an exception. */
static Py_ssize_t rows_of(ProblemObject *self, const Py_buffer *view, const char *name) {
    int genes = tetropt_problem_genes(self->problem);
    if (genes == 0)
        return native_fail(TETROPT_INPUT, tetropt_problem_message(self->problem)), -1;
    Py_ssize_t items = view->len / view->itemsize;
    if (items % genes == 0)
        return items / genes;
    PyErr_Format(PyExc_ValueError, "%s: %zd values are not rows of %d genes", name, items, genes);
    return -1;
}

/* ---- methods */

static PyObject *fail(ProblemObject *self, int code) {
    if (native_raise_pending())
        return NULL;
    return native_fail(code, tetropt_problem_message(self->problem));
}

static PyObject *problem_set(PyObject *object, PyObject *arguments) {
    ProblemObject *self = (ProblemObject *)object;
    const char *option, *value;
    if (!PyArg_ParseTuple(arguments, "ss:set", &option, &value) || !native_take(&self->busy))
        return NULL;
    int code = tetropt_problem_set(self->problem, option, value);
    self->busy = false;
    if (code != TETROPT_OK)
        return fail(self, code);
    Py_RETURN_NONE;
}

/* The ranges of all genes as two lists. */
static PyObject *problem_ranges(PyObject *object, PyObject *none) {
    (void)none;
    ProblemObject *self = (ProblemObject *)object;
    if (!native_take(&self->busy))
        return NULL;
    int genes = tetropt_problem_genes(self->problem);
    PyObject *lows = genes > 0 ? PyList_New(genes) : fail(self, TETROPT_INPUT);
    PyObject *highs = lows ? PyList_New(genes) : NULL;
    for (int i = 0; highs && i < genes; i++) {
        int low, high;
        tetropt_problem_range(self->problem, i, &low, &high);
        PyList_SetItem(lows, i, PyLong_FromLong(low));
        PyList_SetItem(highs, i, PyLong_FromLong(high));
    }
    self->busy = false;
    PyObject *pair = highs ? Py_BuildValue("(OO)", lows, highs) : NULL;
    Py_XDECREF(lows);
    Py_XDECREF(highs);
    return pair;
}

static int evaluate_rows(ProblemObject *self, const Py_buffer *genes, size_t first, size_t count,
                         double *fitness, int threads) {
    size_t row = (size_t)genes->itemsize * (size_t)tetropt_problem_genes(self->problem);
    const char *begin = (const char *)genes->buf + first * row;
    int code;
    Py_BEGIN_ALLOW_THREADS
    code = genes->itemsize == 1
               ? tetropt_problem_evaluate(self->problem, (const int8_t *)begin, count, fitness,
                                          threads)
               : tetropt_problem_evaluate16(self->problem, (const int16_t *)(const void *)begin,
                                            count, fitness, threads);
    Py_END_ALLOW_THREADS
    return code;
}

static PyObject *evaluate(ProblemObject *self, const Py_buffer *genes, const Py_buffer *fitness,
                          int threads) {
    Py_ssize_t rows = rows_of(self, genes, "genes");
    if (rows < 0)
        return NULL;
    if (fitness->len / fitness->itemsize != rows) {
        PyErr_Format(PyExc_ValueError, "fitness: %zd rows need as many values", rows);
        return NULL;
    }
    for (Py_ssize_t first = 0; first < rows; first += CHUNK_ROWS) {
        Py_ssize_t count = rows - first < CHUNK_ROWS ? rows - first : CHUNK_ROWS;
        int code = evaluate_rows(self, genes, (size_t)first, (size_t)count,
                                 (double *)fitness->buf + first, threads);
        if (native_raise_pending())
            return NULL;
        if (code != TETROPT_OK && first > 0)
            return PyErr_Format(PyExc_ValueError, "from row %zd on: %s", first,
                                tetropt_problem_message(self->problem));
        if (code != TETROPT_OK)
            return fail(self, code);
        if (PyErr_CheckSignals() != 0)
            return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *problem_evaluate(PyObject *object, PyObject *arguments) {
    ProblemObject *self = (ProblemObject *)object;
    PyObject *given, *out, *result = NULL;
    int threads = 1;
    Py_buffer genes, fitness;
    if (!PyArg_ParseTuple(arguments, "OO|i:evaluate", &given, &out, &threads) ||
        !native_array(given, "genes", "bh", false, &genes))
        return NULL;
    if (native_array(out, "fitness", "d", true, &fitness)) {
        if (native_take(&self->busy)) {
            result = evaluate(self, &genes, &fitness, threads);
            self->busy = false;
        }
        PyBuffer_Release(&fitness);
    }
    PyBuffer_Release(&genes);
    return result;
}

static PyObject *document(ProblemObject *self, const Py_buffer *genes) {
    Py_ssize_t rows = rows_of(self, genes, "genes");
    if (rows < 0)
        return NULL;
    if (rows != 1)
        return PyErr_Format(PyExc_ValueError, "genes: one row is needed, not %zd", rows);
    size_t length = tetropt_problem_document(self->problem, genes->buf, NULL, 0);
    if (length == 0)
        return fail(self, TETROPT_INPUT);
    char *text = PyMem_Malloc(length + 1);
    if (!text)
        return PyErr_NoMemory();
    tetropt_problem_document(self->problem, genes->buf, text, length + 1);
    PyObject *result = PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
    PyMem_Free(text);
    return result;
}

static PyObject *problem_document(PyObject *object, PyObject *given) {
    ProblemObject *self = (ProblemObject *)object;
    Py_buffer genes;
    if (!native_array(given, "genes", "h", false, &genes))
        return NULL;
    PyObject *result = NULL;
    if (native_take(&self->busy)) {
        result = document(self, &genes);
        self->busy = false;
    }
    PyBuffer_Release(&genes);
    return result;
}

/* Fills an array with random genotypes. */
static PyObject *problem_random(PyObject *object, PyObject *arguments) {
    ProblemObject *self = (ProblemObject *)object;
    PyObject *out, *result = NULL;
    unsigned long long seed;
    Py_buffer genes;
    if (!PyArg_ParseTuple(arguments, "OK:random", &out, &seed) ||
        !native_array(out, "genes", "h", true, &genes))
        return NULL;
    if (native_take(&self->busy)) {
        Py_ssize_t rows = rows_of(self, &genes, "genes");
        if (rows >= 0) {
            int code;
            Py_BEGIN_ALLOW_THREADS
            code = tetropt_problem_random(self->problem, seed, (size_t)rows, genes.buf);
            Py_END_ALLOW_THREADS
            result = code == TETROPT_OK ? Py_NewRef(Py_None) : fail(self, code);
        }
        self->busy = false;
    }
    PyBuffer_Release(&genes);
    return result;
}

/* The operators on one row: out, first, second (may be first), rate, seed. */
static int operate(ProblemObject *self, const char *name, const int16_t *first,
                   const int16_t *second, double rate, uint64_t seed, int16_t *out) {
    if (strcmp(name, "neighbour") == 0)
        return tetropt_problem_neighbour(self->problem, first, seed, out);
    if (strcmp(name, "cross") == 0)
        return tetropt_problem_cross(self->problem, first, second, seed, out);
    return tetropt_problem_mutate(self->problem, first, rate, seed, out);
}

static PyObject *problem_operate(PyObject *object, PyObject *arguments) {
    ProblemObject *self = (ProblemObject *)object;
    const char *name;
    PyObject *given[3], *result = NULL;
    Py_buffer views[3];
    double rate;
    unsigned long long seed;
    if (!PyArg_ParseTuple(arguments, "sOOOdK:operate", &name, &given[0], &given[1], &given[2],
                          &rate, &seed))
        return NULL;
    int taken = 0;
    while (taken < 3 && native_array(given[taken], "genes", "h", taken == 2, &views[taken]))
        taken++;
    if (taken == 3 && native_take(&self->busy)) {
        bool ok = true;
        for (int i = 0; ok && i < 3; i++) {
            Py_ssize_t rows = rows_of(self, &views[i], "genes");
            ok = rows == 1;
            if (rows >= 0 && !ok)
                PyErr_Format(PyExc_ValueError, "genes: one row is needed, not %zd", rows);
        }
        int code =
            ok ? operate(self, name, views[0].buf, views[1].buf, rate, seed, views[2].buf) : 0;
        if (ok)
            result = code == TETROPT_OK ? Py_NewRef(Py_None) : fail(self, code);
        self->busy = false;
    }
    while (taken > 0)
        PyBuffer_Release(&views[--taken]);
    return result;
}

static PyMethodDef methods[] = {
    {"set", problem_set, METH_VARARGS, "set(option, value)\n--\n\nSets an option; both are texts."},
    {"ranges", problem_ranges, METH_NOARGS,
     "ranges()\n--\n\nThe lowest and the highest value of every gene, as two lists."},
    {"evaluate", problem_evaluate, METH_VARARGS,
     "evaluate(genes, fitness, threads=1)\n--\n\nWrites the fitness of every row."},
    {"document", problem_document, METH_O,
     "document(genes)\n--\n\nEverything about one genotype as JSON text."},
    {"random", problem_random, METH_VARARGS,
     "random(genes, seed)\n--\n\nFills an array with random genotypes."},
    {"operate", problem_operate, METH_VARARGS,
     "operate(name, first, second, out, rate, seed)\n--\n\nAn operator on one genotype: "
     "neighbour, cross or mutate."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)"Problem(kind)\n--\n\nGenotypes and fitness."},
                              {Py_tp_new, (void *)PyType_GenericNew},
                              {Py_tp_init, (void *)problem_init},
                              {Py_tp_dealloc, (void *)problem_dealloc},
                              {Py_tp_methods, methods},
                              {0, NULL}};

static PyType_Spec spec = {"tetropt._native.Problem", sizeof(ProblemObject), 0, Py_TPFLAGS_DEFAULT,
                           slots};

static PyTypeObject *problem_type; /* of this module; it is never freed */

PyTypeObject *native_problem_type(void) {
    return problem_type;
}

bool native_add_problem(PyObject *module) {
    bool ok = native_add_type(module, "Problem", &spec);
    if (ok)
        problem_type = (PyTypeObject *)PyObject_GetAttrString(module, "Problem");
    return ok && problem_type;
}
