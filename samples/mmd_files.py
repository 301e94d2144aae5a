"""Writes a figure as PMX 2.0 (UTF-16) and as PMD with its English names."""
import struct

KNEE_LIMIT = (-3.14159274, -0.00872664619)


def indices(bones):
    return {bone.name: i for i, bone in enumerate(bones)}


def text(value):
    data = value.encode('utf-16-le')
    return struct.pack('<i', len(data)) + data


def pmx_bone(bone, index):
    fields = [(0x0002 | (0x0004 if bone.moves else 0) | (0x0018 if bone.shown else 0)), []]

    def flag(bit, data):
        fields[0] |= bit
        fields[1].append(data)

    if bone.tail:
        flag(0x0001, struct.pack('<h', index[bone.tail]))
    else:
        fields[1].append(struct.pack('<3f', 0, 0, 0))
    if bone.append:
        flag(0x0100, struct.pack('<hf', index[bone.append[0]], bone.append[1]))
    if bone.axis:
        flag(0x0400, struct.pack('<3f', *bone.axis))
    if bone.ik:
        effector, loops, limit, links = bone.ik
        data = struct.pack('<hifi', index[effector], loops, limit, len(links))
        for link in links:
            data += struct.pack('<hB', index[link], link.endswith('ひざ'))
            if link.endswith('ひざ'):
                data += struct.pack('<6f', KNEE_LIMIT[0], 0, 0, KNEE_LIMIT[1], 0, 0)
        flag(0x0020, data)
    parent = index[bone.parent] if bone.parent else -1
    return (text(bone.name) + text(bone.english) + struct.pack('<3fhiH', *bone.position, parent, bone.order, fields[0])
            + b''.join(fields[1]))


def pmx_material(material):
    # Drawn on both sides, with shadow on the ground, casting and taking shadow, with an edge.
    return (text(material.name) + text(material.english) + struct.pack('<4f', *material.colour, 1)
            + struct.pack('<3ff3f', 0, 0, 0, 5, *(0.5 * c for c in material.colour)) + struct.pack('<B', 0x1F)
            + struct.pack('<4ff', 0, 0, 0, 1, 0.5) + struct.pack('<bbBBB', -1, -1, 0, 1, 0) + text('')
            + struct.pack('<i', 3 * material.faces))


def pmx_morph(morph):
    data = text(morph.name) + text(morph.english) + struct.pack('<BBi', morph.panel, 1, len(morph.offsets))
    return data + b''.join(struct.pack('<H3f', i, *offset) for i, offset in morph.offsets)


def pmx_group(name, english, special, items):
    data = text(name) + text(english) + struct.pack('<Bi', special, len(items))
    return data + b''.join(struct.pack('<Bh', 0, i) if kind == 'bone' else struct.pack('<Bb', 1, i)
                           for kind, i in items)


def pmx(name, english, figure, faces):
    index = indices(figure.bones)
    comment = 'A sample model of odori.'
    out = [b'PMX ', struct.pack('<f9B', 2.0, 8, 0, 0, 2, 1, 1, 2, 1, 1)]
    out += [text(t) for t in (name, english, comment, comment)]
    out.append(struct.pack('<i', len(figure.vertices)))
    for vertex in figure.vertices:
        out.append(struct.pack('<8fBhf', *vertex.position, *vertex.normal, 0, 0, 0, index[vertex.bone], 1))
    out.append(struct.pack('<i', 3 * len(faces)))
    out += [struct.pack('<3H', *face) for face in faces]
    out.append(struct.pack('<i', 0))
    out.append(struct.pack('<i', len(figure.materials)))
    out += [pmx_material(material) for material in figure.materials]
    out.append(struct.pack('<i', len(figure.bones)))
    out += [pmx_bone(bone, index) for bone in figure.bones]
    out.append(struct.pack('<i', len(figure.morphs)))
    out += [pmx_morph(morph) for morph in figure.morphs]
    out.append(struct.pack('<i', 2 + len(figure.groups)))
    out.append(pmx_group('Root', 'Root', 1, [('bone', 0)]))
    out.append(pmx_group('表情', 'Exp', 1, [('morph', i) for i in range(len(figure.morphs))]))
    out += [pmx_group(group, label, 0, [('bone', index[bone]) for bone in members])
            for group, label, members in figure.groups]
    out.append(struct.pack('<ii', 0, 0))
    return b''.join(out)


def fixed(value, size):
    data = value.encode('cp932')
    assert len(data) < size, value
    return data.ljust(size, b'\0')


def pmd_bone(bone, index, links):
    """Kinds: 0 turns, 1 turns and moves, 2 IK, 4 link of an IK, 5 turns with another, 6 end of an IK, 7 hidden."""
    other = 0
    if bone.ik:
        kind = 2
    elif bone.append:
        kind, other = 5, index[bone.append[0]]
    elif bone.name in links:
        kind, other = links[bone.name]
    elif not bone.shown:
        kind = 7
    else:
        kind = 1 if bone.moves else 0
    parent = index[bone.parent] if bone.parent else 0xFFFF
    tail = index[bone.tail] if bone.tail else 0
    return fixed(bone.name, 20) + struct.pack('<HHBH3f', parent, tail, kind, other, *bone.position)


def pmd_ik(bone, index):
    effector, loops, limit, links = bone.ik
    return (struct.pack('<HHBHf', index[bone.name], index[effector], len(links), loops, limit / 4)
            + b''.join(struct.pack('<H', index[link]) for link in links))


def pmd_morphs(figure):
    """The base, which lists the vertices that any morph moves, and the morphs as offsets from it."""
    base = sorted({i for morph in figure.morphs for i, _ in morph.offsets})
    out = [fixed('base', 20) + struct.pack('<IB', len(base), 0)]
    out += [struct.pack('<I3f', i, *figure.vertices[i].position) for i in base]
    for morph in figure.morphs:
        out.append(fixed(morph.name, 20) + struct.pack('<IB', len(morph.offsets), morph.panel))
        out += [struct.pack('<I3f', base.index(i), *offset) for i, offset in morph.offsets]
    return struct.pack('<H', 1 + len(figure.morphs)) + b''.join(out)


def pmd(name, english, figure, faces):
    index, comment = indices(figure.bones), 'A sample model of odori.'
    chains = [bone for bone in figure.bones if bone.ik]
    links = {}
    for bone in chains:
        links.update({link: (4, index[bone.name]) for link in bone.ik[3]})
    for bone in chains:
        links.setdefault(bone.ik[0], (6, index[bone.name]))
    out = [b'Pmd', struct.pack('<f', 1.0), fixed(name, 20), fixed(comment, 256)]
    out.append(struct.pack('<I', len(figure.vertices)))
    for vertex in figure.vertices:
        bone = index[vertex.bone]
        out.append(struct.pack('<8fHHBB', *vertex.position, *vertex.normal, 0, 0, bone, bone, 100, 0))
    out.append(struct.pack('<I', 3 * len(faces)))
    out += [struct.pack('<3H', *face) for face in faces]
    out.append(struct.pack('<I', len(figure.materials)))
    for m in figure.materials:
        ambient = [0.5 * c for c in m.colour]
        out.append(struct.pack('<4ff3f3fBBI20s', *m.colour, 1, 5, 0, 0, 0, *ambient, 0, 1, 3 * m.faces, b''))
    out.append(struct.pack('<H', len(figure.bones)))
    out += [pmd_bone(bone, index, links) for bone in figure.bones]
    out.append(struct.pack('<H', len(chains)))
    out += [pmd_ik(bone, index) for bone in chains]
    out.append(pmd_morphs(figure))
    out.append(struct.pack('<B%dH' % len(figure.morphs), len(figure.morphs), *range(1, len(figure.morphs) + 1)))
    members = [(index[bone], number) for number, (_, _, bones) in enumerate(figure.groups[1:], 1) for bone in bones]
    out.append(struct.pack('<B', len(figure.groups) - 1))
    out += [fixed(group + '\n', 50) for group, _, _ in figure.groups[1:]]
    out.append(struct.pack('<I', len(members)))
    out += [struct.pack('<HB', *member) for member in members]
    out += [b'\1', fixed(english, 20), fixed(comment, 256)]
    out += [fixed(bone.english, 20) for bone in figure.bones]
    out += [fixed(morph.english, 20) for morph in figure.morphs]
    out += [fixed(label, 50) for _, label, _ in figure.groups[1:]]
    out += [fixed('toon%02d.bmp' % i, 100) for i in range(1, 11)]
    out.append(struct.pack('<II', 0, 0))
    return b''.join(out)
