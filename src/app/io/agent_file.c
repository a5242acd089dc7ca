/* agent_file: dlopen, one symbol, and the definition that it returns. */
#include "io/agent_file.h"

#include "tetropt.h"

#include <dlfcn.h>
#include <string.h>

bool agent_file_is(const char *value) {
    size_t length = strlen(value);
    return strchr(value, '/') && length > 3 && strcmp(value + length - 3, ".so") == 0;
}

char *agent_file_load(const char *path, Status *status) {
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        const char *why = dlerror(); /* it begins with the path */
        status_fail(status, STATUS_INPUT, "%s", why ? why : "cannot be loaded");
        return NULL;
    }
    union { /* C has no conversion from an object pointer to a function */
        void *symbol;
        tetropt_agent_define_function *define;
    } found = {dlsym(object, TETROPT_AGENT_DEFINE)};
    const tetropt_agent_definition *definition =
        found.symbol ? found.define(TETROPT_AGENT_ABI) : NULL;
    char why[STATUS_MESSAGE_BYTES];
    if (!found.symbol)
        status_fail(status, STATUS_INPUT, "%s: has no function " TETROPT_AGENT_DEFINE, path);
    else if (!definition)
        status_fail(status, STATUS_INPUT, "%s: was made for another version of tetropt.h", path);
    else if (tetropt_agent_custom(definition, why, sizeof why) != TETROPT_OK)
        status_fail(status, STATUS_INPUT, "%s: %s", path, why);
    else {
        char *name = strdup(definition->name);
        if (!name)
            status_no_memory(status);
        return name;
    }
    dlclose(object);
    return NULL;
}
