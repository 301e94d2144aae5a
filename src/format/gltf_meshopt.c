/* Input: a view. Output: its bytes when it is compressed, which cannot be read yet. */
#include "format/gltf_meshopt.h"

bool od_gltf_meshopt(od_gltf *g, const od_place *view, od_file *bytes)
{
    od_place extensions = od_place_member(view, "extensions");
    od_place packed = od_place_member(&extensions, "EXT_meshopt_compression");
    (void)g;
    (void)bytes;
    return !packed.value || od_place_fail(&packed, "compressed views are not read yet");
}
