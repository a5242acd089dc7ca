/* module: the module tetropt._native, and what its types share. */
#include "native.h"

#include "tetropt.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

/* How often a waiting call looks for signals. */
enum { SIGNAL_CHECK_NS = 50000000 };

bool native_take(bool *busy) {
    if (*busy) {
        PyErr_SetString(PyExc_RuntimeError, "this object is in use by another thread");
        return false;
    }
    *busy = true;
    return true;
}

PyObject *native_fail(int code, const char *message) {
    if (code == TETROPT_INPUT)
        PyErr_SetString(PyExc_ValueError, message);
    else if (code == TETROPT_SYSTEM)
        PyErr_SetString(PyExc_MemoryError, message);
    else
        PyErr_SetString(PyExc_RuntimeError, message);
    return NULL;
}

/* ---- what Python functions do inside the library; all with the interpreter lock */

static PyObject *pending[3]; /* as PyErr_Fetch gives it */

void native_keep_error(void) {
    if (pending[0])
        PyErr_Clear();
    else
        PyErr_Fetch(&pending[0], &pending[1], &pending[2]);
}

bool native_raise_pending(void) {
    if (!pending[0])
        return false;
    PyErr_Restore(pending[0], pending[1], pending[2]);
    pending[0] = pending[1] = pending[2] = NULL;
    return true;
}

int native_call_progress(PyObject *progress, uint64_t done, double best) {
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = PyObject_CallFunction(progress, "Kd", (unsigned long long)done, best);
    int end = answer ? PyObject_IsTrue(answer) : -1;
    if (end < 0)
        native_keep_error();
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return end != 0;
}

bool native_array(PyObject *object, const char *name, const char *formats, bool writable,
                  Py_buffer *view) {
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, view, flags) != 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s: a contiguous%s array is needed", name,
                     writable ? ", writable" : "");
        return false;
    }
    const char *format = view->format ? view->format : "B";
    if (format[0] != '\0' && format[1] == '\0' && strchr(formats, format[0]))
        return true;
    PyErr_Format(PyExc_ValueError, "%s: wrong type of items (%s)", name, format);
    PyBuffer_Release(view);
    return false;
}

/* ---- long calls */

typedef struct Run {
    int (*work)(void *);
    void *handle;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool over;
    int code;
} Run;

static void *run_work(void *context) {
    Run *run = context;
    int code = run->work(run->handle);
    pthread_mutex_lock(&run->lock);
    run->code = code;
    run->over = true;
    pthread_cond_signal(&run->ended);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* True when it ended within the time between two looks for signals. */
static bool wait_a_moment(Run *run) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += SIGNAL_CHECK_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&run->lock);
    if (!run->over)
        pthread_cond_timedwait(&run->ended, &run->lock, &until);
    bool over = run->over;
    pthread_mutex_unlock(&run->lock);
    return over;
}

int native_run(int (*work)(void *), void (*stop)(void *), void *handle) {
    Run run = {.work = work, .handle = handle};
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.ended, NULL);
    pthread_t thread;
    bool interrupted = false, over = false;
    if (pthread_create(&thread, NULL, run_work, &run) != 0) {
        PyErr_SetString(PyExc_RuntimeError, "no thread can be started");
        return -1;
    }
    while (!over) {
        Py_BEGIN_ALLOW_THREADS
        over = wait_a_moment(&run);
        Py_END_ALLOW_THREADS
        if (!over && !interrupted && PyErr_CheckSignals() != 0) {
            interrupted = true;
            stop(handle);
        }
    }
    pthread_join(thread, NULL);
    pthread_cond_destroy(&run.ended);
    pthread_mutex_destroy(&run.lock);
    return interrupted ? -1 : run.code;
}

/* ---- names */

/* The list of names that a function of tetropt.h gives by index. */
static PyObject *names(const char *(*name_at)(int)) {
    PyObject *list = PyList_New(0);
    const char *name;
    for (int i = 0; list && (name = name_at(i)); i++) {
        PyObject *text = PyUnicode_FromString(name);
        if (!text || PyList_Append(list, text) != 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *job_names(PyObject *self, PyObject *none) {
    (void)self, (void)none;
    return names(tetropt_job_name);
}

static PyObject *agent_names(PyObject *self, PyObject *none) {
    (void)self, (void)none;
    return names(tetropt_agent_name);
}

static PyObject *algorithm_names(PyObject *self, PyObject *none) {
    (void)self, (void)none;
    return names(tetropt_algorithm_name);
}

static PyObject *weights_names(PyObject *self, PyObject *none) {
    (void)self, (void)none;
    return names(tetropt_weights_name);
}

static PyObject *version(PyObject *self, PyObject *none) {
    (void)self, (void)none;
    return PyUnicode_FromString(tetropt_version());
}

/* ---- fumen */

/* The text that a function of tetropt.h writes; on failure the text is the reason. */
static PyObject *written(size_t (*write)(const char *, int, char *, size_t), const char *given,
                         int page) {
    char reason[256] = "";
    size_t length = write(given, page, reason, sizeof reason);
    if (length == 0)
        return native_fail(TETROPT_INPUT, reason);
    char *text = PyMem_Malloc(length + 1);
    if (!text)
        return PyErr_NoMemory();
    write(given, page, text, length + 1);
    PyObject *result = PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
    PyMem_Free(text);
    return result;
}

static size_t write_fumen(const char *board, int page, char *text, size_t bytes) {
    (void)page;
    return tetropt_board_fumen(board, text, bytes);
}

static PyObject *fumen_board(PyObject *self, PyObject *arguments) {
    (void)self;
    const char *fumen;
    int page = 1;
    if (!PyArg_ParseTuple(arguments, "s|i:fumen_board", &fumen, &page))
        return NULL;
    return written(tetropt_fumen_board, fumen, page);
}

static PyObject *fumen_pages(PyObject *self, PyObject *arguments) {
    (void)self;
    const char *fumen;
    if (!PyArg_ParseTuple(arguments, "s:fumen_pages", &fumen))
        return NULL;
    return PyLong_FromLong(tetropt_fumen_pages(fumen));
}

static PyObject *board_fumen(PyObject *self, PyObject *arguments) {
    (void)self;
    const char *board;
    if (!PyArg_ParseTuple(arguments, "s:board_fumen", &board))
        return NULL;
    return written(write_fumen, board, 0);
}

/* ---- the module */

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, "The version of the library."},
    {"job_names", job_names, METH_NOARGS, "The names of the jobs."},
    {"agent_names", agent_names, METH_NOARGS, "The names of the agents."},
    {"algorithm_names", algorithm_names, METH_NOARGS, "The names of the optimisers."},
    {"weights_names", weights_names, METH_NOARGS, "The named sets of weights."},
    {"fumen_board", fumen_board, METH_VARARGS,
     "fumen_board(fumen, page=1)\n--\n\nThe field of a page of a fumen as board text."},
    {"fumen_pages", fumen_pages, METH_VARARGS,
     "fumen_pages(fumen)\n--\n\nHow many pages a fumen has; 0 if it is not one."},
    {"board_fumen", board_fumen, METH_VARARGS,
     "board_fumen(board)\n--\n\nA board text as a fumen of one page."},
    {"register_agent", native_register_agent, METH_VARARGS,
     "register_agent(name, summary, function, hold, preview)\n--\n\nMakes an agent known."},
    {"register_features", native_register_features, METH_VARARGS,
     "register_features(name, summary, function, names, weights, hold)\n--\n\nMakes features "
     "and the agent that plays by them known."},
    {NULL, NULL, 0, NULL}};

bool native_add_type(PyObject *module, const char *name, PyType_Spec *spec) {
    PyObject *type = PyType_FromSpec(spec);
    if (!type)
        return false;
    bool ok = PyModule_AddObjectRef(module, name, type) == 0;
    Py_DECREF(type);
    return ok;
}

static int execute(PyObject *module) {
    return native_add_job(module) && native_add_game(module) && native_add_agent(module) &&
                   native_add_problem(module) && native_add_env(module) && native_add_search(module)
               ? 0
               : -1;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "tetropt._native",
                                        .m_doc = "The engine of tetropt; use the package tetropt.",
                                        .m_methods = functions, .m_slots = slots};

PyMODINIT_FUNC PyInit__native(void);

PyMODINIT_FUNC PyInit__native(void) {
    return PyModuleDef_Init(&definition);
}
