/* Any bytes as a PMD file: a message, or a target that is whole. */
#include "check_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return read_any(data, size, "pmd");
}
