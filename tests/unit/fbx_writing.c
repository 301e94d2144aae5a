/* Input: calls in the order of an FBX file. Output: the file. */
#include "fbx_writing.h"

#include <inttypes.h>
#include <zlib.h>

#include "format/fbx.h"

/* ---- bytes --------------------------------------------------------------------------------------- */

static void put(fbx_file *f, const void *bytes, size_t size)
{
    assert_true(f->size + size <= sizeof f->data);
    memcpy(f->data + f->size, bytes, size);
    f->size += size;
}

static void set(const fbx_file *f, unsigned char *at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) at[f->layout.big_endian ? size - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

static void put_unsigned(fbx_file *f, uint64_t value, size_t size)
{
    unsigned char bytes[8];
    set(f, bytes, value, size);
    put(f, bytes, size);
}

static void print(fbx_file *f, const char *format, ...) OD_PRINTF(2, 3);
static void print(fbx_file *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf((char *)f->data + f->size, sizeof f->data - f->size, format, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < sizeof f->data - f->size);
    f->size += (size_t)n;
}

/* ---- nodes --------------------------------------------------------------------------------------- */

static size_t word(const fbx_file *f)
{
    return f->layout.version >= 7500 ? 8 : 4;
}

void fbx_start(fbx_file *f, fbx_layout layout)
{
    memset(f, 0, sizeof *f);
    f->layout = layout;
    if (!layout.version) f->layout.version = 7400;
    if (!layout.binary) {
        print(f, "; FBX 7.4.0 project file\n\n");
        return;
    }
    put(f, "Kaydara FBX Binary  \0\x1A", 22);
    put_unsigned(f, layout.big_endian, 1);
    put_unsigned(f, f->layout.version, 4);
}

void fbx_header(fbx_file *f)
{
    fbx_begin(f, "FBXHeaderExtension");
    fbx_begin(f, "FBXVersion");
    fbx_integer(f, f->layout.version);
    fbx_end(f);
    fbx_end(f);
}

/* Before the first child of the node at hand. */
static void open_node(fbx_file *f)
{
    if (!f->depth || f->level[f->depth - 1].open) return;
    f->level[f->depth - 1].open = true;
    if (!f->layout.binary) {
        print(f, " {\n");
        return;
    }
    size_t head = f->level[f->depth - 1].head, values = f->size - f->level[f->depth - 1].values;
    set(f, f->data + head + word(f), f->level[f->depth - 1].count, word(f));
    set(f, f->data + head + 2 * word(f), values, word(f));
}

void fbx_begin(fbx_file *f, const char *name)
{
    open_node(f);
    assert_true(f->depth < FBX_LEVELS);
    f->level[f->depth].head = f->size;
    f->level[f->depth].count = 0;
    f->level[f->depth].open = false;
    if (f->layout.binary) {
        for (int i = 0; i < 3; i++) put_unsigned(f, 0, word(f));
        put_unsigned(f, strlen(name), 1);
        put(f, name, strlen(name));
    } else {
        print(f, "%*s%s:", f->depth, "", name);
    }
    f->level[f->depth].values = f->size;
    f->depth++;
}

void fbx_end(fbx_file *f)
{
    static const unsigned char nothing[25];
    bool open = f->level[f->depth - 1].open;
    if (f->layout.binary) {
        if (!open) open_node(f);
        if (open) put(f, nothing, 3 * word(f) + 1);
        set(f, f->data + f->level[f->depth - 1].head, f->size, word(f));
    } else if (open) {
        print(f, "%*s}\n", f->depth - 1, "");
    } else {
        print(f, "\n");
    }
    f->depth--;
}

void fbx_finish(fbx_file *f)
{
    static const unsigned char nothing[25];
    assert_int_equal(f->depth, 0);
    if (f->layout.binary) put(f, nothing, 3 * word(f) + 1);
}

/* ---- values -------------------------------------------------------------------------------------- */

static void value(fbx_file *f, char type)
{
    bool first = f->level[f->depth - 1].count++ == 0;
    if (f->layout.binary) put(f, &type, 1);
    else print(f, first ? " " : ", ");
}

void fbx_integer(fbx_file *f, int64_t v)
{
    value(f, 'L');
    if (f->layout.binary) put_unsigned(f, (uint64_t)v, 8);
    else print(f, "%" PRId64, v);
}

static uint64_t bits_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static uint32_t float_bits(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

void fbx_real(fbx_file *f, double v)
{
    value(f, 'D');
    if (f->layout.binary) put_unsigned(f, bits_of(v), 8);
    else print(f, "%.17g", v);
}

static void text(fbx_file *f, const char *bytes, size_t size)
{
    value(f, 'S');
    if (f->layout.binary) put_unsigned(f, size, 4);
    if (!f->layout.binary) print(f, "\"");
    put(f, bytes, size);
    if (!f->layout.binary) print(f, "\"");
}

void fbx_text(fbx_file *f, const char *t)
{
    text(f, t, strlen(t));
}

void fbx_name(fbx_file *f, const char *name, const char *class_name)
{
    char both[256];
    int n = f->layout.binary ? snprintf(both, sizeof both, "%s%c\1%s", name, 0, class_name)
                             : snprintf(both, sizeof both, "%s::%s", class_name, name);
    text(f, both, (size_t)n);
}

/* ---- arrays -------------------------------------------------------------------------------------- */

static void put_array(fbx_file *f, char type, bool packed, const unsigned char *bytes, size_t size, uint32_t count)
{
    value(f, type);
    put_unsigned(f, count, 4);
    put_unsigned(f, packed, 4);
    put_unsigned(f, size, 4);
    put(f, bytes, size);
}

/* `bytes` are the elements in the file's order. */
static void array(fbx_file *f, char type, const unsigned char *bytes, size_t size, int count)
{
    unsigned char packed[4096];
    uLongf packed_size = sizeof packed;
    if (f->layout.packed) assert_int_equal(compress(packed, &packed_size, bytes, size), Z_OK);
    put_array(f, type, f->layout.packed, f->layout.packed ? packed : bytes, f->layout.packed ? packed_size : size,
              (uint32_t)count);
}

/* Elements as bit patterns of `size` bytes; in text as they are printed by `show`. */
static void elements(fbx_file *f, char type, size_t size, const uint64_t *bits, int count,
                     void (*show)(fbx_file *, uint64_t))
{
    unsigned char bytes[4096];
    assert_true((size_t)count * size <= sizeof bytes);
    if (f->layout.binary) {
        for (int i = 0; i < count; i++) set(f, bytes + (size_t)i * size, bits[i], size);
        array(f, type, bytes, (size_t)count * size, count);
        return;
    }
    value(f, type);
    print(f, "*%d", count);
    fbx_begin(f, "a");
    for (int i = 0; i < count; i++) {
        value(f, type);
        show(f, bits[i]);
    }
    fbx_end(f);
}

static void show_integer(fbx_file *f, uint64_t bits)
{
    print(f, "%" PRId64, (int64_t)bits);
}

static void show_word(fbx_file *f, uint64_t bits)
{
    print(f, "%" PRId32, (int32_t)(uint32_t)bits);
}

static void show_real(fbx_file *f, uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    print(f, "%.17g", v);
}

static void show_float(fbx_file *f, uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float v;
    memcpy(&v, &low, sizeof v);
    print(f, "%.9g", (double)v);
}

enum { MOST = 512 };

void fbx_integers(fbx_file *f, const int64_t *values, int count)
{
    uint64_t bits[MOST];
    for (int i = 0; i < count; i++) bits[i] = (uint64_t)values[i];
    elements(f, 'l', 8, bits, count, show_integer);
}

void fbx_reals(fbx_file *f, const double *values, int count)
{
    uint64_t bits[MOST];
    for (int i = 0; i < count; i++) bits[i] = bits_of(values[i]);
    elements(f, 'd', 8, bits, count, show_real);
}

void fbx_floats(fbx_file *f, const float *values, int count)
{
    uint64_t bits[MOST];
    for (int i = 0; i < count; i++) bits[i] = float_bits(values[i]);
    elements(f, 'f', 4, bits, count, show_float);
}

void fbx_words(fbx_file *f, const int32_t *values, int count)
{
    uint64_t bits[MOST];
    for (int i = 0; i < count; i++) bits[i] = (uint32_t)values[i];
    elements(f, 'i', 4, bits, count, show_word);
}

void fbx_property(fbx_file *f, const char *name, const double *values, int count)
{
    bool old = f->layout.version < 7000;
    fbx_begin(f, old ? "Property" : "P");
    fbx_text(f, name);
    fbx_text(f, "Number");
    if (!old) fbx_text(f, "");
    fbx_text(f, "A");
    for (int i = 0; i < count; i++) fbx_real(f, values[i]);
    fbx_end(f);
}

/* ---- a scene of three joints --------------------------------------------------------------------- */

/* Numbers of objects. */
enum { ARMATURE = 1, HIPS, SPINE, HEAD, STACK, LAYER, MOVE, TURN, CLUSTER, CURVES = 20 };

static const int64_t TICK = 46186158000 / 30;

static void number_property(fbx_file *f, const char *name, double v)
{
    fbx_property(f, name, &v, 1);
}

static void begin_object(fbx_file *f, const char *node, int64_t id, const char *name, const char *class_name,
                         const char *type)
{
    fbx_begin(f, node);
    fbx_integer(f, id);
    fbx_name(f, name, class_name);
    fbx_text(f, type);
}

static void write_settings(fbx_file *f, const fbx_scene *s)
{
    fbx_begin(f, "GlobalSettings");
    fbx_begin(f, "Properties70");
    number_property(f, "UpAxis", s->up == 2 ? 2 : 1);
    number_property(f, "FrontAxis", s->up == 2 ? 1 : 2);
    number_property(f, "FrontAxisSign", s->up == 2 ? -1 : 1);
    number_property(f, "TimeMode", 6);
    fbx_end(f);
    fbx_end(f);
}

static void write_model(fbx_file *f, const fbx_scene *s, int64_t id, const char *name, const char *type, double up)
{
    const double place[3] = {0, s->up == 2 ? 0 : up, s->up == 2 ? up : 0};
    begin_object(f, "Model", id, name, "Model", type);
    fbx_begin(f, "Properties70");
    fbx_property(f, "Lcl Translation", place, 3);
    if (id == ARMATURE && s->armature) fbx_property(f, "Lcl Scaling", s->armature, 3);
    if (id == SPINE) fbx_property(f, "PreRotation", s->pre, 3);
    if (id == SPINE) number_property(f, "RotationOrder", s->order);
    fbx_end(f);
    fbx_end(f);
}

static void write_beyond(fbx_file *f, const char *name, char mode)
{
    if (!mode) return;
    fbx_begin(f, name);
    fbx_begin(f, "Type");
    fbx_integer(f, mode);
    fbx_end(f);
    fbx_end(f);
}

static void write_curve(fbx_file *f, const fbx_scene *s, int64_t id, const fbx_keys *keys)
{
    int64_t times[MOST];
    const int32_t run = keys->count;
    int32_t data[4];
    memcpy(data, keys->data, sizeof data);
    for (int i = 0; i < keys->count; i++) times[i] = keys->times[i] * TICK;
    begin_object(f, "AnimationCurve", id, "", "AnimCurve", "");
    fbx_begin(f, "KeyTime");
    if (s->times) put_array(f, 'l', true, s->times->bytes, s->times->size, s->times->count);
    else fbx_integers(f, times, keys->count);
    fbx_end(f);
    fbx_begin(f, "KeyValueFloat");
    fbx_floats(f, keys->values, keys->count);
    fbx_end(f);
    fbx_begin(f, "KeyAttrFlags");
    fbx_words(f, &keys->flags, 1);
    fbx_end(f);
    fbx_begin(f, "KeyAttrDataFloat");
    if (f->layout.binary) fbx_floats(f, keys->data, 4);
    else fbx_words(f, data, 4);
    fbx_end(f);
    fbx_begin(f, "KeyAttrRefCount");
    fbx_words(f, &run, 1);
    fbx_end(f);
    write_beyond(f, "Pre-Extrapolation", keys->before);
    write_beyond(f, "Post-Extrapolation", keys->after);
    fbx_end(f);
}

static void write_cluster(fbx_file *f, const fbx_scene *s)
{
    const double matrix[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, s->bind[0], s->bind[1], s->bind[2], 1};
    begin_object(f, "Deformer", CLUSTER, "", "SubDeformer", "Cluster");
    fbx_begin(f, "TransformLink");
    fbx_reals(f, matrix, 16);
    fbx_end(f);
    fbx_end(f);
}

static bool is_bound(const fbx_scene *s)
{
    return s->bind[0] != 0 || s->bind[1] != 0 || s->bind[2] != 0;
}

static void write_objects(fbx_file *f, const fbx_scene *s)
{
    fbx_begin(f, "Objects");
    write_model(f, s, ARMATURE, "Armature", "Null", 0);
    write_model(f, s, HIPS, s->hips_name ? s->hips_name : "Hips", "LimbNode", 10);
    write_model(f, s, SPINE, "Spine", "LimbNode", 10);
    write_model(f, s, HEAD, "Head", "LimbNode", 10);
    begin_object(f, "AnimationStack", STACK, "dance", "AnimStack", "");
    fbx_begin(f, "Properties70");
    if (s->stop) number_property(f, "LocalStop", (double)(s->stop * TICK));
    fbx_end(f);
    fbx_end(f);
    begin_object(f, "AnimationLayer", LAYER, "Base", "AnimLayer", "");
    fbx_end(f);
    begin_object(f, "AnimationCurveNode", MOVE, "T", "AnimCurveNode", "");
    fbx_end(f);
    begin_object(f, "AnimationCurveNode", TURN, "R", "AnimCurveNode", "");
    fbx_end(f);
    for (int i = 0; i < 3; i++) {
        if (s->hips[i].count) write_curve(f, s, CURVES + i, &s->hips[i]);
        if (s->spine[i].count) write_curve(f, s, CURVES + 3 + i, &s->spine[i]);
    }
    if (is_bound(s)) write_cluster(f, s);
    fbx_end(f);
}

static void connect(fbx_file *f, int64_t from, int64_t to, const char *property)
{
    fbx_begin(f, "C");
    fbx_text(f, property ? "OP" : "OO");
    fbx_integer(f, from);
    fbx_integer(f, to);
    if (property) fbx_text(f, property);
    fbx_end(f);
}

static void write_connections(fbx_file *f, const fbx_scene *s)
{
    static const char *const axes[] = {"d|X", "d|Y", "d|Z"};
    fbx_begin(f, "Connections");
    connect(f, ARMATURE, 0, NULL);
    connect(f, HIPS, s->circle ? HEAD : ARMATURE, NULL);
    connect(f, SPINE, HIPS, NULL);
    connect(f, HEAD, SPINE, NULL);
    connect(f, LAYER, STACK, NULL);
    connect(f, MOVE, LAYER, NULL);
    connect(f, TURN, LAYER, NULL);
    connect(f, MOVE, HIPS, "Lcl Translation");
    connect(f, TURN, SPINE, "Lcl Rotation");
    for (int i = 0; i < 3; i++) {
        connect(f, CURVES + i, MOVE, axes[i]);
        connect(f, CURVES + 3 + i, TURN, axes[i]);
    }
    connect(f, HEAD, CLUSTER, NULL);
    fbx_end(f);
}

void fbx_write_scene(fbx_file *f, const fbx_scene *s)
{
    fbx_start(f, s->layout);
    fbx_header(f);
    write_settings(f, s);
    write_objects(f, s);
    write_connections(f, s);
    fbx_finish(f);
}

/* ---- reading ------------------------------------------------------------------------------------- */

fbx_reading fbx_read_bytes(const unsigned char *data, size_t size)
{
    fbx_reading r = {.arena = od_arena_new(0)};
    r.report.arena = r.arena;
    od_file file = {.name = "dance.fbx", .data = data, .size = size};
    r.ok = od_fbx_read(&file, NULL, &r.scene, &r.report, r.arena, &r.error);
    assert_true(r.ok == !r.error.failed);
    return r;
}

fbx_reading fbx_read_scene(const fbx_scene *scene)
{
    static fbx_file f;
    fbx_write_scene(&f, scene);
    return fbx_read_bytes(f.data, f.size);
}

void fbx_done(fbx_reading *r)
{
    od_arena_free(r->arena);
}

od_xform fbx_world(const fbx_reading *r, int frame, const char *bone)
{
    od_xform world[64];
    int i = od_skeleton_find(&r->scene.skeleton, bone);
    assert_ok(r->ok, r->error);
    assert_true(i >= 0 && r->scene.skeleton.count <= 64 && r->scene.clip_count > 0);
    assert_true(frame < r->scene.clips[0].frames);
    od_clip_world(&r->scene.clips[0], frame, &r->scene.skeleton, world);
    return world[i];
}
