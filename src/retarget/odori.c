/* Output: the library's version. */
#include "odori/odori.h"

const char *od_version(void)
{
    return OD_VERSION;
}
