/*
 * native: the C half of the Python package, on top of tetropt.h. It uses the stable ABI of Python
 * 3.11, so one compiled module serves every later version.
 *
 * Each type wraps one handle. A handle must not be used by two threads at once, and long calls
 * release the interpreter lock, so every call takes the handle first (native_take) and gives it
 * back after; a second thread gets a RuntimeError instead of a crash.
 */
#ifndef TETROPT_PYTHON_NATIVE_H
#define TETROPT_PYTHON_NATIVE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdbool.h>

/* False with a RuntimeError when another thread is inside a call on the object. */
bool native_take(bool *busy);

/* Raises what a code of tetropt.h means: ValueError, MemoryError, or RuntimeError. NULL. */
PyObject *native_fail(int code, const char *message);

/* Runs work(handle) in a thread of its own and waits for it without the interpreter lock. Ctrl-C
 * (any signal whose Python handler raises) calls stop(handle) once. Returns the code of `work`, or
 * -1 with an exception set. */
int native_run(int (*work)(void *), void (*stop)(void *), void *handle);

/* Exceptions that Python functions raise inside the library, which cannot pass them on: the first
 * is kept, and raised when the call into the library is over (true then). */
void native_keep_error(void);
bool native_raise_pending(void);

/* Calls progress(done, best) from whichever thread runs; another value than 0 ends the run. */
int native_call_progress(PyObject *progress, uint64_t done, double best);

/* Takes a contiguous buffer of items of one of the formats; false with an exception that names it.
 */
bool native_array(PyObject *object, const char *name, const char *formats, bool writable,
                  Py_buffer *view);

/* Adds a type to the module; false with an exception. */
bool native_add_type(PyObject *module, const char *name, PyType_Spec *spec);

/* The types, one file each. */
bool native_add_job(PyObject *module);
bool native_add_game(PyObject *module);
bool native_add_agent(PyObject *module);
bool native_add_problem(PyObject *module);
bool native_add_env(PyObject *module);
bool native_add_search(PyObject *module);

/* Functions of the module: custom.c. */
PyObject *native_register_agent(PyObject *self, PyObject *arguments);
PyObject *native_register_features(PyObject *self, PyObject *arguments);

/* For search.c: as native_game_take. */
struct tetropt_problem *native_problem_take(PyObject *object);
void native_problem_give(PyObject *object);
PyTypeObject *native_problem_type(void);

/* For agent.c: the game handle of a Game object, taken; NULL with an exception. */
struct tetropt_game *native_game_take(PyObject *object);
void native_game_give(PyObject *object);

/* A placement as a tuple (piece, rotation, x, y, spin, hold); and back, false with an exception. */
struct tetropt_placement;
PyObject *native_placement(const struct tetropt_placement *placement);
bool native_read_placement(PyObject *tuple, struct tetropt_placement *placement);

#endif
