"""Vectors (x, y, z), quaternions (x, y, z, w) and curves for the makers of the samples.

Right-handed; angles in degrees; `turn(p, q)` turns by q first, then by p.
"""
import math


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scaled(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a):
    return math.sqrt(dot(a, a))


def unit(a):
    return scaled(a, 1 / length(a))


def mix(a, b, t):
    return tuple(x + (y - x) * t for x, y in zip(a, b))


def mirrored(a):
    """The same place on the other side of the body."""
    return (-a[0], a[1], a[2])


IDENTITY = (0.0, 0.0, 0.0, 1.0)


def about(axis, degrees):
    half = math.radians(degrees) / 2
    return scaled(unit(axis), math.sin(half)) + (math.cos(half),)


def about_x(degrees):
    return about((1, 0, 0), degrees)


def about_y(degrees):
    return about((0, 1, 0), degrees)


def about_z(degrees):
    return about((0, 0, 1), degrees)


def turn(*rotations):
    """The product of rotations: the last one is applied first."""
    x, y, z, w = rotations[0]
    for a, b, c, d in rotations[1:]:
        x, y, z, w = (w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a,
                      w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c)
    return (x, y, z, w)


def inverse(q):
    return (-q[0], -q[1], -q[2], q[3])


def mirrored_turn(q):
    return (q[0], -q[1], -q[2], q[3])


def rotate(q, v):
    t = scaled(cross(q, v), 2)
    return add(add(v, scaled(t, q[3])), cross(q, t))


def part(q, t):
    """The t-th part of a rotation by less than half a turn."""
    if q[3] < 0:
        q = tuple(-c for c in q)
    half = math.acos(min(1.0, q[3]))
    if half < 1e-9:
        return IDENTITY
    return about(scaled(q, 1 / math.sin(half)), math.degrees(2 * half) * t)


def shortest(a, b):
    """The smallest rotation that takes direction a to direction b (not opposite)."""
    a, b = unit(a), unit(b)
    q = cross(a, b) + (1 + dot(a, b),)
    size = math.sqrt(sum(c * c for c in q))
    return tuple(c / size for c in q)


def from_columns(x, y, z):
    """The rotation that takes the axes to three orthogonal unit vectors."""
    candidates = [
        (1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2], y[2] - z[1]),
        (x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1], z[0] - x[2]),
        (z[0] + x[2], y[2] + z[1], 1 - x[0] - y[1] + z[2], x[1] - y[0]),
        (y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + x[0] + y[1] + z[2])]
    size, q = max((math.sqrt(sum(c * c for c in q)), q) for q in candidates)
    return tuple(c / size for c in q)


def euler(q, order, near):
    """Angles for the axes in `order`, the first leftmost in the product; of the solutions the one next to `near`."""
    i, j, k = ('XYZ'.index(axis) for axis in order)
    odd = 1 if (j - i) % 3 == 1 else -1
    axes = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    columns = [rotate(q, axis) for axis in axes]
    cosine = math.hypot(columns[k][j], columns[k][k])
    middle = math.atan2(odd * columns[k][i], cosine)
    # Where the outer axes coincide only their sum is known: the first angle stays where it was.
    first = math.atan2(-odd * columns[k][j], columns[k][k]) if cosine > 1e-6 else math.radians(near[0])
    rest = turn(inverse(turn(about(axes[i], math.degrees(first)), about(axes[j], math.degrees(middle)))), q)
    last = 2 * math.atan2(rest[k], rest[3])
    found = []
    for angles in ((first, middle, last), (first + math.pi, math.pi - middle, last + math.pi)):
        angles = [math.degrees(a) for a in angles]
        angles = [a + 360 * round((b - a) / 360) for a, b in zip(angles, near)]
        found.append((sum(abs(a - b) for a, b in zip(angles, near)), angles))
    return min(found)[1]


def smooth(t):
    """From 0 to 1, level at both ends."""
    t = max(0.0, min(1.0, t))
    return t * t * (3 - 2 * t)


def bump(t):
    """0, 1 in the middle, 0; level at both ends."""
    return 16 * (t * (1 - t)) ** 2 if 0 < t < 1 else 0.0


def lower(a, b, width):
    """The smaller of two numbers, rounded off where they meet."""
    h = max(width - abs(a - b), 0.0)
    return min(a, b) - h * h / (4 * width)


class Curve:
    """A smooth function through keys (beat, value) or (beat, value, slope).

    Cubic between keys; without a slope the one of Fritsch and Carlson, which never swings over.
    """

    def __init__(self, keys):
        keys = sorted(keys)
        self.beats = [key[0] for key in keys]
        self.values = [key[1] for key in keys]
        rise = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(keys, keys[1:])]
        self.slopes = [key[2] if len(key) > 2 else 0.0 for key in keys]
        for i in range(1, len(keys) - 1):
            if len(keys[i]) == 2 and rise[i - 1] * rise[i] > 0:
                self.slopes[i] = 2 / (1 / rise[i - 1] + 1 / rise[i])

    def __call__(self, beat):
        beats, values, slopes = self.beats, self.values, self.slopes
        if beat <= beats[0]:
            return values[0]
        for i in range(1, len(beats)):
            if beat <= beats[i]:
                span = beats[i] - beats[i - 1]
                t = (beat - beats[i - 1]) / span
                return (values[i - 1] + (values[i] - values[i - 1]) * smooth(t)
                        + span * t * (1 - t) * (slopes[i - 1] * (1 - t) - slopes[i] * t))
        return values[-1]


def curves(rows):
    """One curve for each column of rows (beat, value, value, ...)."""
    return [Curve([(row[0], row[i]) for row in rows]) for i in range(1, len(rows[0]))]
