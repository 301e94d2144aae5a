/* Curves and layers of FBX against values worked out by hand. */
#include "check.h"

#include "format/fbx_motion.h"

/* A second has 1000 units here. */
enum { SECOND = 1000, MOST = 8 };

typedef struct made {
    int64_t time[MOST];
    float value[MOST];
    od_fbx_tangent tangent[MOST];
    int ends[MOST];
    od_fbx_curve curve;
} made;

static const float THIRD = 1.0F / 3;

/* Keys of one kind at every second. */
static void make(made *m, int count, const float *values, uint32_t flags)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < count; i++) {
        m->time[i] = (int64_t)i * SECOND;
        m->value[i] = values[i];
        m->tangent[i] = (od_fbx_tangent){.flags = flags, .right_weight = THIRD, .next_left_weight = THIRD};
    }
    m->curve = (od_fbx_curve){.count = count,
                              .time = m->time,
                              .value = m->value,
                              .tangents = m->tangent,
                              .ends = m->ends,
                              .tangent_count = count,
                              .second = SECOND,
                              .before = {'C', -1},
                              .after = {'C', -1},
                              .piece = -1,
                              .sided = -1};
}

static double at(made *m, double seconds)
{
    return od_fbx_curve_at(&m->curve, llround(seconds * SECOND));
}

static const float RISE[2] = {10, 20};

static void keys_are_met_exactly_in_any_order(void **state)
{
    (void)state;
    static const float values[6] = {3, -1, 4, 1, -5, 9};
    static const int order[] = {5, 0, 3, 2, 4, 1, 1, 5, 0};
    made m;
    make(&m, 6, values, OD_FBX_CUBIC | OD_FBX_AUTO);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        assert_near(at(&m, order[i]), (double)values[order[i]], 0);
}

static void looks_in_any_order_give_the_same(void **state)
{
    (void)state;
    static const float values[8] = {3, -1, 4, 1, -5, 9, 2, 6};
    made forward, random;
    make(&forward, 8, values, OD_FBX_CUBIC | OD_FBX_AUTO);
    make(&random, 8, values, OD_FBX_CUBIC | OD_FBX_AUTO);
    double want[72];
    for (int i = 0; i < 72; i++) want[i] = at(&forward, i * 0.1 - 0.05);
    for (int i = 0; i < 72; i++) {
        int k = i * 29 % 72;
        assert_near(at(&random, k * 0.1 - 0.05), want[k], 0);
    }
}

static void linear_and_constant_keys(void **state)
{
    (void)state;
    made m;
    make(&m, 2, RISE, OD_FBX_LINEAR);
    assert_near(at(&m, 0.25), 12.5, 1e-12);
    make(&m, 2, RISE, OD_FBX_CONSTANT);
    assert_near(at(&m, 0.999), 10, 0);
    assert_near(at(&m, 1), 20, 0);
    make(&m, 2, RISE, OD_FBX_CONSTANT | OD_FBX_NEXT);
    assert_near(at(&m, 0), 10, 0); /* the key itself is what it is */
    assert_near(at(&m, 0.001), 20, 0);
}

/* With thirds as weights the curve is Hermite's: v0 + (3 u^2 - 2 u^3) d + slopes. */
static void slopes_of_keys_are_hermites(void **state)
{
    (void)state;
    made m;
    make(&m, 2, RISE, OD_FBX_CUBIC | OD_FBX_USER);
    m.tangent[0].right = 6;
    m.tangent[0].next_left = -9;
    for (double u = 0; u < 1; u += 0.1) {
        double want = 10 + (3 * u * u - 2 * u * u * u) * 10 + u * (1 - u) * (1 - u) * 6 - u * u * (1 - u) * -9;
        assert_near(at(&m, u), want, 1e-3 * 6 + 1e-6); /* times are of a thousandth */
    }
}

/* A tangent that takes the whole way in time, flat at both ends: x = 3 s^2 (1-s) + s^3 (0 and 1 as control points
 * of time are at 1 and 0). */
static void weights_bend_time(void **state)
{
    (void)state;
    made m;
    make(&m, 2, RISE, OD_FBX_CUBIC | OD_FBX_USER);
    m.tangent[0].right_weight = 0.9F;
    m.tangent[0].next_left_weight = 0.9F;
    assert_near(at(&m, 0.5), 15, 1e-9); /* by symmetry */
    double s = 0.3, x = 3 * 0.9 * s * (1 - s) * (1 - s) + 3 * (1 - 0.9) * s * s * (1 - s) + s * s * s;
    double y = 10 + 10 * (3 * s * s * (1 - s) + s * s * s);
    assert_near(at(&m, round(x * SECOND) / SECOND), y, 2e-2);
}

static void automatic_slopes_of_a_line_give_the_line(void **state)
{
    (void)state;
    static const float line[5] = {0, 2, 4, 6, 8};
    static const uint32_t kinds[] = {OD_FBX_AUTO, OD_FBX_AUTO | OD_FBX_TIME_INDEPENDENT, OD_FBX_TCB};
    made m;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        make(&m, 5, line, OD_FBX_CUBIC | kinds[k]);
        for (double t = 0; t <= 4; t += 0.125) assert_near(at(&m, t), 2 * t, 1e-6);
    }
}

/* Progressive ones do not pass the values of the keys. */
static void clamped_slopes_stay_between_the_keys(void **state)
{
    (void)state;
    static const float steps[6] = {0, 0, 10, 10, -3, -3};
    made m;
    make(&m, 6, steps, OD_FBX_CUBIC | OD_FBX_AUTO | OD_FBX_PROGRESSIVE);
    for (double t = 0; t < 5; t += 0.01) {
        int i = (int)t;
        double low = fmin((double)steps[i], (double)steps[i + 1]), high = fmax((double)steps[i], (double)steps[i + 1]);
        assert_true(at(&m, t) >= low - 1e-9 && at(&m, t) <= high + 1e-9);
    }
    make(&m, 6, steps, OD_FBX_CUBIC | OD_FBX_AUTO);
    double highest = 0;
    for (double t = 0; t < 5; t += 0.01) highest = fmax(highest, at(&m, t));
    assert_true(highest > 10.1); /* free ones do */
}

/* Bias turns a slope wholly to one side at 100, tension takes it away. */
static void tension_and_bias(void **state)
{
    (void)state;
    static const float corner[3] = {0, 0, 10};
    made m;
    make(&m, 3, corner, OD_FBX_CUBIC | OD_FBX_TCB);
    m.tangent[1].right = 1;
    assert_near(at(&m, 1.5), 0.5 * 10 - 0.125 * 10, 1e-3); /* flat at the middle key, 10 at the last */
    make(&m, 3, corner, OD_FBX_CUBIC | OD_FBX_TCB);
    m.tangent[1].bias = -1;
    assert_near(at(&m, 1.5), 5, 1e-3); /* the slope of the line that follows */
}

static void beyond_the_keys(void **state)
{
    (void)state;
    static const struct {
        char mode;
        double before, after; /* at -0.25 and 2.25 of keys at 0 (10), 1 (20) and, before that, a line */
        double after_one;     /* at 1.25 */
    } cases[] = {
        {'C', 10, 20, 20},       {'K', 7.5, 32.5, 22.5}, {'R', 17.5, 12.5, 12.5},
        {'M', 12.5, 12.5, 17.5}, {'A', 7.5, 32.5, 22.5}, {'?', 10, 20, 20},
    };
    made m;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make(&m, 2, RISE, OD_FBX_LINEAR);
        m.curve.before = m.curve.after = (od_fbx_beyond){cases[i].mode, -1};
        assert_near(at(&m, -0.25), cases[i].before, 1e-9);
        assert_near(at(&m, 2.25), cases[i].after, 1e-9);
        assert_near(at(&m, 1.25), cases[i].after_one, 1e-9);
    }
}

static void repetitions_end(void **state)
{
    (void)state;
    made m;
    make(&m, 2, RISE, OD_FBX_LINEAR);
    m.curve.after = (od_fbx_beyond){'R', 2};
    assert_near(at(&m, 2.75), 17.5, 1e-9);
    assert_near(at(&m, 3.5), 20, 1e-9);
    m.curve.after = (od_fbx_beyond){'M', 1};
    assert_near(at(&m, 1.75), 12.5, 1e-9);
    assert_near(at(&m, 5), 10, 1e-9);
    m.curve.after = (od_fbx_beyond){'A', 2};
    assert_near(at(&m, 9), 40, 1e-9);
    m.curve.after = (od_fbx_beyond){'R', 0};
    assert_near(at(&m, 1.5), 20, 1e-9);
}

static void keys_at_one_time_divide_by_nothing(void **state)
{
    (void)state;
    static const float values[4] = {1, 2, 3, 4};
    static const uint32_t kinds[] = {OD_FBX_AUTO, OD_FBX_TCB, OD_FBX_USER, OD_FBX_AUTO | OD_FBX_PROGRESSIVE};
    made m;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        make(&m, 4, values, OD_FBX_CUBIC | kinds[k]);
        m.time[1] = m.time[0];
        m.time[2] = m.time[3];
        for (double t = -1; t < 5; t += 0.1) assert_true(isfinite(at(&m, t)));
        for (int i = 0; i < 4; i++) m.time[i] = 0;
        m.curve.at = 0;
        m.curve.piece = m.curve.sided = -1;
        m.curve.after.mode = m.curve.before.mode = 'K';
        for (double t = -1; t < 5; t += 0.1) assert_true(isfinite(at(&m, t)));
    }
}

/* ---- layers -------------------------------------------------------------------------------------- */

typedef struct pair {
    od_fbx_layer base, upper;
    od_fbx_channel below, above;
} pair;

static void make_pair(pair *p, int kind, double x, double y)
{
    memset(p, 0, sizeof *p);
    p->base = (od_fbx_layer){.base = true, .additive = true, .weight = 1};
    p->upper = (od_fbx_layer){.weight = 0.5};
    p->below = (od_fbx_channel){.kind = kind, .layer = &p->base, .next = &p->above};
    p->above = (od_fbx_channel){.kind = kind, .layer = &p->upper};
    p->below.value[0] = (od_fbx_property){.v = {x}, .set = true};
    p->above.value[0] = (od_fbx_property){.v = {y}, .set = true};
}

static double joined(const pair *p)
{
    double values[3] = {100, 0, 0};
    od_fbx_channel_at(&p->below, 0, 0, values);
    return values[0];
}

static void layers_add_mix_or_replace(void **state)
{
    (void)state;
    pair p;
    make_pair(&p, OD_FBX_TRANSLATION, 10, 40);
    assert_near(joined(&p), 40, 1e-9); /* replaces */
    p.upper.additive = true;
    assert_near(joined(&p), 30, 1e-9); /* half of 40 is added */
    p.upper.additive = false;
    p.upper.blended = true;
    assert_near(joined(&p), 25, 1e-9); /* half way from 10 to 40 */
    p.upper.muted = true;
    assert_near(joined(&p), 10, 1e-9);
    make_pair(&p, OD_FBX_SCALING, 3, 4);
    p.upper.additive = p.upper.multiplies = true;
    assert_near(joined(&p), 3 * 2, 1e-9); /* times 4^0.5 */
}

static void rotations_of_layers_are_joined_as_such(void **state)
{
    (void)state;
    pair p;
    make_pair(&p, OD_FBX_ROTATION, 30, 40);
    p.upper.additive = p.upper.turns = true;
    assert_near(joined(&p), 50, 1e-6); /* about one axis it is a sum */
    p.upper.additive = false;
    p.upper.blended = true;
    assert_near(joined(&p), 35, 1e-6);
}

static void animated_weights_count(void **state)
{
    (void)state;
    static const float percents[2] = {0, 100};
    made m;
    make(&m, 2, percents, OD_FBX_LINEAR);
    pair p;
    make_pair(&p, OD_FBX_TRANSLATION, 10, 40);
    p.upper.additive = true;
    p.upper.weight_curve = &m.curve;
    for (int i = -5; i < 20; i++) {
        double values[3] = {0, 0, 0};
        od_fbx_channel_at(&p.below, 0, i * 100, values);
        assert_near(values[0], 10 + 40 * fmax(0, fmin(1, i * 0.1)), 1e-5);
    }
}

static double dot(od_fbx_quat a, od_fbx_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static void angles_come_back_from_rotations(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int order = 0; order < 6; order++)
        for (int i = 0; i < 200; i++) {
            double angles[3], back[3];
            for (int k = 0; k < 3; k++) angles[k] = 180 * check_random(&seed);
            if (i % 10 == 0) angles[(order + 1) % 3] = i % 20 ? 90 : -90; /* sometimes two axes fall together */
            od_fbx_quat q = od_fbx_euler(angles, order), r;
            od_fbx_quat_to_euler(q, order, back);
            r = od_fbx_euler(back, order);
            double same = dot(q, r) / sqrt(dot(q, q) * dot(r, r));
            assert_near(fabs(same), 1, 1e-9);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_met_exactly_in_any_order),
        cmocka_unit_test(looks_in_any_order_give_the_same),
        cmocka_unit_test(linear_and_constant_keys),
        cmocka_unit_test(slopes_of_keys_are_hermites),
        cmocka_unit_test(weights_bend_time),
        cmocka_unit_test(automatic_slopes_of_a_line_give_the_line),
        cmocka_unit_test(clamped_slopes_stay_between_the_keys),
        cmocka_unit_test(tension_and_bias),
        cmocka_unit_test(beyond_the_keys),
        cmocka_unit_test(repetitions_end),
        cmocka_unit_test(keys_at_one_time_divide_by_nothing),
        cmocka_unit_test(layers_add_mix_or_replace),
        cmocka_unit_test(rotations_of_layers_are_joined_as_such),
        cmocka_unit_test(animated_weights_count),
        cmocka_unit_test(angles_come_back_from_rotations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
