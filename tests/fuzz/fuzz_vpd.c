/* Any bytes as a VPD file: a message, or keys that are whole. */
#include "check_keys.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return read_any(data, size, "vpd");
}
