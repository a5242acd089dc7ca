#include "movegen/kernel.h"

#define LEVEL portable
#define TARGET
#define KERNEL kernel_portable
#include "movegen/kernel_body.h"
