/* Input: a face as VRM 1, VRM 0 or ARKit names it. Output: the names of MMD's models.
 * Facts: the presets of the VRM 0.0 and VRMC_vrm 1.0 specifications, the blend shapes of ARKit, the usual morphs
 * of MMD's models. Left and right are the character's: ウィンク closes the left eye. */
#include "mmd/morph_alias.h"

#include <stddef.h>
#include <strings.h>

enum { NAMES = 3 };

static const struct {
    const char *face, *names[NAMES];
} aliases[] = {
    {"aa", {"あ"}},
    {"ih", {"い"}},
    {"ou", {"う"}},
    {"ee", {"え"}},
    {"oh", {"お"}},
    {"blink", {"まばたき"}},
    {"blinkLeft", {"ウィンク", "ウィンク２"}},
    {"blinkRight", {"ウィンク右", "ｳｨﾝｸ２右"}},
    {"happy", {"笑い", "にこり"}},
    {"angry", {"怒り"}},
    {"sad", {"困る", "悲しい"}},
    {"relaxed", {"なごみ", "にこり"}},
    {"surprised", {"びっくり"}},
    /* VRM 0 */
    {"a", {"あ"}},
    {"i", {"い"}},
    {"u", {"う"}},
    {"e", {"え"}},
    {"o", {"お"}},
    {"blink_l", {"ウィンク", "ウィンク２"}},
    {"blink_r", {"ウィンク右", "ｳｨﾝｸ２右"}},
    {"joy", {"笑い", "にこり"}},
    {"sorrow", {"困る", "悲しい"}},
    {"fun", {"なごみ", "にこり"}},
    /* ARKit: of a pair that MMD does not tell apart the left one */
    {"eyeBlinkLeft", {"ウィンク", "ウィンク２"}},
    {"eyeBlinkRight", {"ウィンク右", "ｳｨﾝｸ２右"}},
    {"eyeWideLeft", {"びっくり"}},
    {"jawOpen", {"あ"}},
    {"mouthFunnel", {"お"}},
    {"mouthPucker", {"う"}},
    {"mouthSmileLeft", {"口角上げ", "にやり"}},
    {"mouthFrownLeft", {"口角下げ"}},
    {"browInnerUp", {"困る"}},
    {"browDownLeft", {"怒り"}},
};

const char *od_morph_alias(const char *face, int n)
{
    for (size_t i = 0; n < NAMES && i < sizeof aliases / sizeof *aliases; i++)
        if (!strcasecmp(aliases[i].face, face)) return aliases[i].names[n];
    return NULL;
}
