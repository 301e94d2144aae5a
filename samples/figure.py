"""A small figure of our own, 1.55 m, for MikuMikuDance: bones, a mesh of tubes, two morphs.

MMD's space: left-handed, y up, the figure faces -z, its left is +x; a unit is 8 cm. The arms hang 38
degrees below the horizontal; the knees are a little bent, so that leg IK knows where they go.
"""
import math
from collections import namedtuple

import mmd_files
from maths import add, cross, dot, length, mirrored, mix, scaled, sub, unit

# position: head of the bone; tail: name of the bone it points to; append: (source, ratio);
# ik: (effector, loops, radians a step, links); axis: the only one it turns about; moves: may be shifted.
Bone = namedtuple('Bone', 'name english parent position tail append ik axis moves shown order',
                  defaults=(None, None, None, None, False, True, 0))
Vertex = namedtuple('Vertex', 'position normal bone')
Material = namedtuple('Material', 'name english colour faces')
Morph = namedtuple('Morph', 'name english panel offsets')
Figure = namedtuple('Figure', 'bones vertices materials morphs groups')

ARM, ELBOW, WRIST = (1.12, 14.9, 0.3), (0, 0, 0.07), (0, 0, -0.07)
SLOPE = (math.cos(math.radians(38)), -math.sin(math.radians(38)), 0)
ELBOW = add(ARM, add(scaled(SLOPE, 2.75), ELBOW))
WRIST = add(ELBOW, add(scaled(SLOPE, 2.45), WRIST))
LEG, KNEE, ANKLE, TOE, BALL = (0.85, 10.1, 0), (0.84, 5.4, -0.16), (0.83, 1.0, 0.2), (0.9, 0, -1.35), (0.88, 0.25, -0.8)

# Along the forearm from the wrist, and to the front: joints of a finger and its tip.
FINGERS = [('親指', 'thumb', '０１２', ((0.22, 0.2), (0.5, 0.45), (0.75, 0.64), (0.95, 0.78))),
           ('人指', 'fore', '１２３', ((0.85, 0.3), (1.22, 0.31), (1.47, 0.32), (1.7, 0.32))),
           ('中指', 'middle', '１２３', ((0.88, 0.1), (1.28, 0.1), (1.56, 0.1), (1.82, 0.1))),
           ('薬指', 'third', '１２３', ((0.84, -0.1), (1.2, -0.1), (1.47, -0.11), (1.7, -0.11))),
           ('小指', 'little', '１２３', ((0.77, -0.28), (1.05, -0.3), (1.25, -0.31), (1.42, -0.32)))]


def on_hand(along, front):
    drop = -0.12 if front > 0.35 else 0.0
    return add(WRIST, add(scaled(SLOPE, along), (0, drop, -front)))


def sided(rows):
    """Left rows, then right ones: * stands for the side in names, ~ in English names."""
    found = []
    for side, letter in (('左', 'L'), ('右', 'R')):
        def named(name):
            return name and name.replace('*', side)
        for row in rows:
            place = row.position if side == '左' else mirrored(row.position)
            axis = row.axis if side == '左' or not row.axis else mirrored(row.axis)
            append = row.append and (named(row.append[0]), row.append[1])
            ik = row.ik and (named(row.ik[0]), *row.ik[1:3], [named(link) for link in row.ik[3]])
            found.append(row._replace(name=named(row.name), english=row.english.replace('~', letter),
                                      parent=named(row.parent), position=place, tail=named(row.tail), append=append,
                                      ik=ik, axis=axis))
    return found


def finger_bones(parts):
    rows = []
    for name, english, digits, places in FINGERS:
        parent = '*手首'
        names = ['*' + name + digit for digit in digits] + ['*' + name + '先']
        labels = [english + digit for digit in ('012' if digits[0] == '０' else '123')] + [english + ' end']
        for i, place in enumerate(places[:-1]):
            if digits[i] in parts:
                rows.append(Bone(names[i], labels[i] + '_~', parent, on_hand(*place), tail=names[i + 1]))
                parent = names[i]
        rows.append(Bone(names[-1], labels[-1] + '_~', parent, on_hand(*places[-1]), shown=False))
    return rows


def twist_bones(name, english, parent, start, end):
    """A twist bone half-way along a limb, and three that follow it in parts and carry the skin."""
    axis = unit(sub(end, start))
    rows = [Bone('*%s捩' % name, english + ' twist_~', parent, mix(start, end, 0.5), axis=axis)]
    return rows + [Bone('*%s捩%d' % (name, i), '%s twist%d_~' % (english, i), parent, mix(start, end, i / 4),
                        append=('*%s捩' % name, i / 4), shown=False) for i in (1, 2, 3)]


def leg_ik(parent, order):
    return [Bone('*足ＩＫ', 'leg IK_~', parent, ANKLE, moves=True, ik=('*足首', 40, 2.0, ['*ひざ', '*足']), order=order),
            Bone('*つま先ＩＫ', 'toe IK_~', '*足ＩＫ', TOE, moves=True, ik=('*つま先', 3, 4.0, ['*足首']), order=order)]


def many_bones():
    """The semi-standard bones."""
    trunk = [Bone('全ての親', 'master', None, (0, 0, 0), tail='センター', moves=True),
             Bone('センター', 'center', '全ての親', (0, 7.6, 0), moves=True),
             Bone('グルーブ', 'groove', 'センター', (0, 8.0, 0), moves=True),
             Bone('腰', 'waist', 'グルーブ', (0, 10.9, 0.15)),
             Bone('上半身', 'upper body', '腰', (0, 11.6, 0.05), tail='上半身2'),
             Bone('上半身2', 'upper body2', '上半身', (0, 12.8, 0.1), tail='首'),
             Bone('首', 'neck', '上半身2', (0, 15.5, 0.3), tail='頭'), Bone('頭', 'head', '首', (0, 16.3, 0.15)),
             Bone('両目', 'eyes', '頭', (0, 19.8, -0.2)),
             Bone('下半身', 'lower body', '腰', (0, 11.6, 0.05))]
    arms = [Bone('*目', 'eye_~', '頭', (0.4, 17.75, -0.7), append=('両目', 1.0), order=2),
            Bone('*肩P', 'shoulderP_~', '上半身2', (0.2, 15.15, 0.25)),
            Bone('*肩', 'shoulder_~', '*肩P', (0.2, 15.15, 0.25), tail='*腕'),
            Bone('*肩C', 'shoulderC_~', '*肩', ARM, append=('*肩P', -1.0), shown=False),
            Bone('*腕', 'arm_~', '*肩C', ARM, tail='*ひじ'), *twist_bones('腕', 'arm', '*腕', ARM, ELBOW),
            Bone('*ひじ', 'elbow_~', '*腕捩', ELBOW, tail='*手首'), *twist_bones('手', 'wrist', '*ひじ', ELBOW, WRIST),
            Bone('*手首', 'wrist_~', '*手捩', WRIST), *finger_bones('０１２３')]
    legs = [Bone('腰キャンセル*', 'waist cancel_~', '下半身', LEG, append=('腰', -1.0), shown=False),
            Bone('*足', 'leg_~', '腰キャンセル*', LEG, tail='*ひざ'), Bone('*ひざ', 'knee_~', '*足', KNEE, tail='*足首'),
            Bone('*足首', 'ankle_~', '*ひざ', ANKLE, tail='*つま先'), Bone('*つま先', 'toe_~', '*足首', TOE),
            Bone('*足D', 'legD_~', '腰キャンセル*', LEG, append=('*足', 1.0), order=2),
            Bone('*ひざD', 'kneeD_~', '*足D', KNEE, append=('*ひざ', 1.0), order=2),
            Bone('*足首D', 'ankleD_~', '*ひざD', ANKLE, append=('*足首', 1.0), order=2),
            Bone('*足先EX', 'toe2_~', '*足首D', BALL, order=2)]
    feet = [Bone('*足IK親', 'leg IKP_~', '全ての親', (ANKLE[0], 0, ANKLE[2]), moves=True), *leg_ik('*足IK親', 1)]
    return trunk + sided(arms) + sided(legs) + sided(feet)


def few_bones():
    """The bones of the first models."""
    trunk = [Bone('センター', 'center', None, (0, 7.6, 0), moves=True),
             Bone('上半身', 'upper body', 'センター', (0, 11.6, 0.05), tail='首'),
             Bone('首', 'neck', '上半身', (0, 15.5, 0.3), tail='頭'), Bone('頭', 'head', '首', (0, 16.3, 0.15)),
             Bone('両目', 'eyes', '頭', (0, 19.8, -0.2)), Bone('下半身', 'lower body', 'センター', (0, 11.6, 0.05))]
    arms = [Bone('*目', 'eye_~', '頭', (0.4, 17.75, -0.7), append=('両目', 1.0)),
            Bone('*肩', 'shoulder_~', '上半身', (0.2, 15.15, 0.25), tail='*腕'),
            Bone('*腕', 'arm_~', '*肩', ARM, tail='*ひじ'), Bone('*ひじ', 'elbow_~', '*腕', ELBOW, tail='*手首'),
            Bone('*手首', 'wrist_~', '*ひじ', WRIST), *finger_bones('１２３')]
    legs = [Bone('*足', 'leg_~', '下半身', LEG, tail='*ひざ'), Bone('*ひざ', 'knee_~', '*足', KNEE, tail='*足首'),
            Bone('*足首', 'ankle_~', '*ひざ', ANKLE, tail='*つま先'), Bone('*つま先', 'toe_~', '*足首', TOE, shown=False)]
    return trunk + sided(arms) + sided(legs) + sided(leg_ik(None, 0))


# Bones that carry the skin, where only few bones are there.
SIMPLER = {'上半身2': '上半身', '親指０': '手首', '足D': '足', 'ひざD': 'ひざ', '足首D': '足首', '足先EX': '足首',
           '腕捩': '腕', '手捩': 'ひじ'}


class Mesh:
    """Vertices with normals, and triangles clockwise as seen from outside (which is a positive cross product here)."""

    def __init__(self):
        self.places, self.bones, self.faces = [], [], []

    def tube(self, rings, sides=8):
        """A closed skin around rings (centre, radius across, radius to the front, bone), as a lathe makes it."""
        axis = unit(sub(rings[-1][0], rings[0][0]))
        across = unit(cross(axis, (0, 0, 1)))
        front = cross(across, axis)
        first = len(self.places)
        for centre, wide, deep, bone in rings:
            for i in range(sides):
                angle = 2 * math.pi * i / sides
                spoke = add(scaled(across, wide * math.cos(angle)), scaled(front, deep * math.sin(angle)))
                self._vertex(add(centre, spoke), bone)
        for k in range(len(rings) - 1):
            for i in range(sides):
                a, b = first + k * sides + i, first + k * sides + (i + 1) % sides
                self._quad(a, b, b + sides, a + sides, mix(rings[k][0], rings[k + 1][0], 0.5))
        for centre, bone, start in ((rings[0][0], rings[0][3], first),
                                    (rings[-1][0], rings[-1][3], first + (len(rings) - 1) * sides)):
            inside = rings[len(rings) // 2][0]
            middle = self._vertex(centre, bone)
            for i in range(sides):
                self._triangle(middle, start + i, start + (i + 1) % sides, inside)

    def limb(self, start, end, radii, bones, sides=8):
        """A round limb; radii and bones from its start to its end."""
        count = len(radii) - 1
        along = unit(sub(end, start))
        rings = [(mix(start, end, i / count), r, r, bones[min(i, len(bones) - 1)]) for i, r in enumerate(radii)]
        rings.insert(0, (sub(start, scaled(along, 0.6 * radii[0])), 0.6 * radii[0], 0.6 * radii[0], bones[0]))
        rings.append((add(end, scaled(along, 0.6 * radii[-1])), 0.6 * radii[-1], 0.6 * radii[-1], bones[-1]))
        self.tube(rings, sides)

    def disc(self, centre, wide, high, bone, sides=8):
        """A flat ellipse that faces the front; its vertices."""
        first = self._vertex(centre, bone)
        for i in range(sides):
            angle = 2 * math.pi * i / sides
            self._vertex(add(centre, (wide * math.cos(angle), high * math.sin(angle), 0)), bone)
        for i in range(sides):
            self._triangle(first, first + 1 + i, first + 1 + (i + 1) % sides, add(centre, (0, 0, 1)))
        return range(first, len(self.places))

    def vertices(self):
        normals = [(0, 0, 0)] * len(self.places)
        for a, b, c in self.faces:
            normal = self._normal(a, b, c)
            for i in (a, b, c):
                normals[i] = add(normals[i], normal)
        return [Vertex(place, unit(normal), bone) for place, normal, bone in zip(self.places, normals, self.bones)]

    def _vertex(self, place, bone):
        self.places.append(place)
        self.bones.append(bone)
        return len(self.places) - 1

    def _normal(self, a, b, c):
        a, b, c = self.places[a], self.places[b], self.places[c]
        return cross(sub(b, a), sub(c, a))

    def _triangle(self, a, b, c, inside):
        normal = self._normal(a, b, c)
        if length(normal) > 1e-9:
            self.faces.append((a, b, c) if dot(normal, sub(self.places[a], inside)) > 0 else (a, c, b))

    def _quad(self, a, b, c, d, inside):
        self._triangle(a, b, c, inside)
        self._triangle(a, c, d, inside)


def trunk_rings(rows, bone, centre):
    return [((0, y, centre), wide, deep, bone) for y, wide, deep in rows]


def add_skin(mesh):
    mesh.tube(trunk_rings([(16.5, 0.25, 0.2), (16.8, 0.6, 0.6), (17.3, 0.9, 0.95), (17.9, 1.05, 1.1), (18.5, 1, 1.05),
                           (19.1, 0.7, 0.75), (19.3, 0.3, 0.3)], '頭', 0.1), 12)
    mesh.limb((0, 15.3, 0.3), (0, 16.7, 0.2), (0.32, 0.3), ['首'])
    for side, flip in (('左', lambda v: v), ('右', mirrored)):
        twists = [side + name for name in ('腕捩1', '腕捩2', '腕捩3', '腕捩')]
        mesh.limb(flip(mix(ARM, ELBOW, 0.15)), flip(ELBOW), (0.3, 0.29, 0.28, 0.26), twists)
        twists = [side + name for name in ('ひじ', '手捩1', '手捩2', '手捩3', '手捩')]
        mesh.limb(flip(ELBOW), flip(WRIST), (0.26, 0.26, 0.24, 0.2, 0.17), twists)
        palm = [(0.05, 0.16, 0.2), (0.3, 0.18, 0.34), (0.7, 0.17, 0.42), (0.9, 0.1, 0.36)]
        mesh.tube([(flip(on_hand(along, 0)), thick, deep, side + '手首') for along, thick, deep in palm])
        for name, _, digits, places in FINGERS:
            for i in range(3):
                mesh.limb(flip(on_hand(*places[i])), flip(on_hand(*places[i + 1])), (0.11, 0.09),
                          [side + name + digits[i]], 6)
        mesh.limb(flip(mix(LEG, KNEE, 0.1)), flip(KNEE), (0.42, 0.47, 0.42, 0.36), [side + '足D'])
        mesh.limb(flip(KNEE), flip(mix(KNEE, ANKLE, 1.05)), (0.36, 0.37, 0.28, 0.24), [side + 'ひざD'])


def add_dress(mesh):
    mesh.tube(trunk_rings([(11.3, 0.6, 0.45), (11.7, 0.72, 0.52), (12.3, 0.68, 0.5)], '上半身', 0.1)
              + trunk_rings([(12.9, 0.76, 0.56), (13.9, 0.92, 0.66), (14.8, 0.98, 0.55), (15.3, 0.6, 0.42),
                             (15.5, 0.34, 0.34)], '上半身2', 0.15), 12)
    mesh.tube(trunk_rings([(11.9, 0.7, 0.52), (11.2, 0.9, 0.72), (10.2, 1.25, 1.05), (9.2, 1.7, 1.5), (9.2, 1.5, 1.3),
                           (10, 1, 0.8)], '下半身', 0.08), 16)
    for side, flip in (('左', lambda v: v), ('右', mirrored)):
        mesh.limb(flip((0.3, 15.1, 0.25)), flip(ARM), (0.3, 0.34), [side + '肩'])
        mesh.limb(flip(ARM), flip(mix(ARM, ELBOW, 0.2)), (0.36, 0.38), [side + '腕'])


def add_dark(mesh):
    """Hair, shoes, eyes and mouth; the vertices of the eyes and of the mouth."""
    mesh.tube(trunk_rings([(16.2, 0.35, 0.2), (16.8, 0.95, 0.6), (17.6, 1.17, 0.85), (18.4, 1.17, 0.95),
                           (19.2, 0.8, 0.75), (19.45, 0.3, 0.3)], '頭', 0.5), 12)
    mesh.tube(trunk_rings([(18.35, 1.08, 1.2), (18.8, 1, 1.12), (19.2, 0.7, 0.85), (19.4, 0.2, 0.3)], '頭', 0.1), 12)
    for side, flip in (('左', lambda v: v), ('右', mirrored)):
        rings = [((0.83, 0.3, 0.6), 0.2, 0.24), ((0.83, 0.45, 0.2), 0.34, 0.45), ((0.87, 0.22, -0.7), 0.36, 0.2)]
        mesh.tube([(flip(centre), wide, high, side + '足首D') for centre, wide, high in rings])
        rings = [((0.88, 0.22, -0.7), 0.36, 0.2), ((0.9, 0.16, -1.15), 0.3, 0.15), ((0.9, 0.12, -1.35), 0.15, 0.1)]
        mesh.tube([(flip(centre), wide, high, side + '足先EX') for centre, wide, high in rings])
    eyes = [i for x, bone in ((0.4, '左目'), (-0.4, '右目'))
            for i in mesh.disc((x, 17.75, -0.98), 0.2, 0.3, bone)]
    return eyes, mesh.disc((0, 17.05, -0.76), 0.16, 0.03, '頭')


def narrowed(mesh, points, factor):
    """Offsets that make flat shapes `factor` times as high, each about its own middle."""
    heights = [mesh.places[i][1] for i in points]
    middle = (max(heights) + min(heights)) / 2
    return [(i, (0, (mesh.places[i][1] - middle) * (factor - 1), 0)) for i in points]


GROUPS = [('センター', 'center', ('センター', 'グルーブ', '腰')), ('ＩＫ', 'IK', ('足IK親', '足ＩＫ', 'つま先ＩＫ')),
          ('体(上)', 'upper body', ('上半身', '上半身2', '首', '頭', '両目', '目')),
          ('腕', 'arms', ('肩P', '肩', '腕', '腕捩', 'ひじ', '手捩', '手首')), ('指', 'fingers', '０１２３'),
          ('体(下)', 'lower body', ('下半身', '足', 'ひざ', '足首', 'つま先', '足D', 'ひざD', '足首D', '足先EX'))]


def plain(name):
    """A bone's name without its side."""
    return name[1:] if name[0] in '左右' else name


def groups_of(bones):
    """Shown bones in groups, the first of them being the root's own."""
    shown = [bone.name for bone in bones if bone.shown]
    groups = []
    for name, english, members in GROUPS:
        if isinstance(members, str):
            found = [bone for bone in shown if bone[-1] in members]
        else:
            found = [bone for bone in shown if plain(bone) in members]
        groups.append((name, english, found))
    return groups


def figure(bones, simple):
    mesh, materials = Mesh(), []
    for name, english, colour, fill in (('肌', 'skin', (0.98, 0.84, 0.74), add_skin),
                                        ('服', 'dress', (0.2, 0.5, 0.75), add_dress),
                                        ('髪', 'hair', (0.25, 0.16, 0.14), add_dark)):
        before = len(mesh.faces)
        eyes_and_mouth = fill(mesh)
        materials.append(Material(name, english, colour, len(mesh.faces) - before))
    eyes, mouth = eyes_and_mouth
    morphs = [Morph('まばたき', 'blink', 2, narrowed(mesh, eyes, 0.1)), Morph('あ', 'a', 3, narrowed(mesh, mouth, 5))]
    if simple:
        def carrier(bone):
            name = SIMPLER.get(plain(bone).rstrip('123'), SIMPLER.get(plain(bone), plain(bone)))
            return bone[0] + name if bone[0] in '左右' else name
        mesh.bones = [carrier(bone) for bone in mesh.bones]
    return Figure(bones, mesh.vertices(), materials, morphs, groups_of(bones)), mesh.faces


def pmx():
    return mmd_files.pmx('踊り手', 'dancer', *figure(many_bones(), False))


def pmd():
    return mmd_files.pmd('踊り手', 'dancer', *figure(few_bones(), True))
