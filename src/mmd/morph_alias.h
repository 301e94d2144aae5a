/* Morph aliases: what faces of VRM and ARKit are called on models of MMD. */
#ifndef ODORI_MMD_MORPH_ALIAS_H
#define ODORI_MMD_MORPH_ALIAS_H

/* The n-th name (from 0, the best first) that models give to a face; NULL: there is none. Case does not matter. */
const char *od_morph_alias(const char *face, int n);

#endif
