/** How the differing words of a changed line look: bold on a stronger tint, or underlined where no tint can be read. */
import type { Look } from '../look.js';
import { contrast, mix, parseColor, rgbOf, shownColor } from '../themes/color.js';
import type { Style } from '../themes/style.js';

/** Shares of the sign's colour in the tint; the first that leaves text readable is taken. */
const STRENGTHS = [0.3, 0.24, 0.18, 0.12];
/** WCAG asks for 4.5; some themes have less on the plain tint already. */
const READABLE = 4.3;
const UNDERLINED: Style = { underline: true };

export function changedTint(
  kind: 'added' | 'removed' | 'context' | 'gap',
  look: Pick<Look, 'theme' | 'depth'>,
): Style {
  const { background, status, text, type } = look.theme;
  const [tint, sign] =
    kind === 'added' ? [background.diff.added, status.success] : [background.diff.removed, status.error];
  const [from, to] = [parseColor(tint), parseColor(sign)];
  const ink = parseColor(text.primary || (type === 'light' ? 'black' : 'white'));
  if (!from || !to || !ink) return UNDERLINED;
  for (const strength of STRENGTHS) {
    const stronger = mix(rgbOf(from), rgbOf(to), strength);
    const shown = shownColor(stronger, look.depth, true);
    const isSeen = JSON.stringify(shown) !== JSON.stringify(shownColor(tint, look.depth, true));
    if (shown && isSeen && contrast(rgbOf(ink), rgbOf(shown)) >= READABLE)
      return { background: stronger, bold: true };
  }
  return UNDERLINED;
}
