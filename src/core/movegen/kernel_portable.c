/* kernel_portable: the instance for every CPU, on the vectors that the compiler makes. */
#include "movegen/kernel.h"

#define LEVEL portable
#define TARGET
#define KERNEL kernel_portable
#include "movegen/kernel_body.h"
