/* job: the type Job: a question by options, a run that can be stopped, an answer as JSON. */
#include "native.h"

#include "tetropt.h"

#include <stdlib.h>

typedef struct JobObject {
    PyObject ob_base;
    tetropt_job *job;
    PyObject *progress; /* a callable, or NULL */
    bool busy;
} JobObject;

static int job_init(PyObject *object, PyObject *arguments, PyObject *keywords) {
    JobObject *self = (JobObject *)object;
    static char *names[] = {"name", NULL};
    const char *name;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "s:Job", names, &name))
        return -1;
    if (self->job) {
        PyErr_SetString(PyExc_RuntimeError, "a job cannot be initialised twice");
        return -1;
    }
    self->job = tetropt_job_new(name);
    if (!self->job)
        PyErr_Format(PyExc_ValueError, "unknown job '%s'", name);
    return self->job ? 0 : -1;
}

static void job_dealloc(PyObject *object) {
    JobObject *self = (JobObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    tetropt_job_free(self->job);
    Py_XDECREF(self->progress);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *job_set(PyObject *object, PyObject *arguments) {
    JobObject *self = (JobObject *)object;
    const char *option, *value;
    if (!PyArg_ParseTuple(arguments, "ss:set", &option, &value) || !native_take(&self->busy))
        return NULL;
    int code = tetropt_job_set(self->job, option, value);
    self->busy = false;
    if (code != TETROPT_OK)
        return native_fail(code, tetropt_job_message(self->job));
    Py_RETURN_NONE;
}

static int tell(void *context, uint64_t done, double best) {
    return native_call_progress(((JobObject *)context)->progress, done, best);
}

static int run_job(void *job) {
    return tetropt_job_run(job);
}

static void stop_job(void *job) {
    tetropt_job_stop(job);
}

static PyObject *job_run(PyObject *object, PyObject *arguments, PyObject *keywords) {
    JobObject *self = (JobObject *)object;
    static char *names[] = {"progress", NULL};
    PyObject *progress = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:run", names, &progress))
        return NULL;
    if (progress != Py_None && !PyCallable_Check(progress)) {
        PyErr_SetString(PyExc_TypeError, "progress must be callable");
        return NULL;
    }
    if (!native_take(&self->busy))
        return NULL;
    self->progress = progress == Py_None ? NULL : Py_NewRef(progress);
    tetropt_job_on_progress(self->job, self->progress ? tell : NULL, self);
    int code = native_run(run_job, stop_job, self->job);
    Py_CLEAR(self->progress);
    self->busy = false;
    if (code < 0 || native_raise_pending())
        return NULL;
    if (code != TETROPT_OK)
        return native_fail(code, tetropt_job_message(self->job));
    Py_RETURN_NONE;
}

/* May be called by any thread, also while the job runs. */
static PyObject *job_stop(PyObject *object, PyObject *none) {
    (void)none;
    tetropt_job_stop(((JobObject *)object)->job);
    Py_RETURN_NONE;
}

/* The text that a function of the library writes about the last run. */
static PyObject *job_text(PyObject *object, size_t (*write)(const tetropt_job *, char *, size_t),
                          const char *missing) {
    JobObject *self = (JobObject *)object;
    if (!native_take(&self->busy))
        return NULL;
    size_t length = write(self->job, NULL, 0);
    char *text = PyMem_Malloc(length + 1);
    PyObject *result = NULL;
    if (!text)
        PyErr_NoMemory();
    else if (length == 0)
        PyErr_SetString(PyExc_RuntimeError, missing);
    else {
        write(self->job, text, length + 1);
        result = PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
    }
    PyMem_Free(text);
    self->busy = false;
    return result;
}

static PyObject *job_document(PyObject *object, PyObject *none) {
    (void)none;
    return job_text(object, tetropt_job_document, "the job has no answer: it was not run");
}

static PyObject *job_state(PyObject *object, PyObject *none) {
    (void)none;
    return job_text(object, tetropt_job_state, "the job has no state to resume from");
}

static PyMethodDef methods[] = {
    {"set", job_set, METH_VARARGS, "set(option, value)\n--\n\nSets an option; both are texts."},
    {"run", (PyCFunction)(void (*)(void))job_run, METH_VARARGS | METH_KEYWORDS,
     "run(progress=None)\n--\n\nRuns the job. progress(done, best) is called now and then; a true "
     "answer ends the run. Ctrl-C ends it too."},
    {"stop", job_stop, METH_NOARGS, "stop()\n--\n\nEnds a run from another thread."},
    {"document", job_document, METH_NOARGS,
     "document()\n--\n\nThe answer of the last run as JSON text."},
    {"state", job_state, METH_NOARGS, "state()\n--\n\nWhat the option resume takes."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"Job(name)\n--\n\nAny computation of the program: a question by options, "
                        "one run, one answer."},
    {Py_tp_new, (void *)PyType_GenericNew},
    {Py_tp_init, (void *)job_init},
    {Py_tp_dealloc, (void *)job_dealloc},
    {Py_tp_methods, methods},
    {0, NULL}};

static PyType_Spec spec = {"tetropt._native.Job", sizeof(JobObject), 0, Py_TPFLAGS_DEFAULT, slots};

bool native_add_job(PyObject *module) {
    return native_add_type(module, "Job", &spec);
}
