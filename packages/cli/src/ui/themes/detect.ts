/** Finds out whether the terminal's background is dark or light, by asking it (OSC 11). */
import { luminance } from './color.js';
import type { BackgroundKind } from './manager.js';

/** Terminals that know the query answer at once; others never. */
export const BACKGROUND_QUERY = '\x1b]11;?\x1b\\';

/** `rgb:1e1e/1e1e/2e2e`, `rgba:…`, `#1e1e2e`: the part between `11;` and the end, or the whole sequence. */
export function backgroundOf(answer: string): BackgroundKind | undefined {
  const channels =
    /rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(answer) ?? hexChannels(answer);
  if (!channels) return undefined;
  const [r = 0, g = 0, b = 0] = channels
    .slice(1, 4)
    .map((digits) => (255 * Number.parseInt(digits, 16)) / (16 ** digits.length - 1));
  return luminance({ r, g, b }) > MIDDLE ? 'light' : 'dark';
}

/** `COLORFGBG` of some terminals: `15;0` is white on black. */
export function backgroundFromEnv(env: NodeJS.ProcessEnv): BackgroundKind | undefined {
  const last = /;(\d{1,2})$/.exec(env['COLORFGBG'] ?? '')?.[1];
  if (last === undefined) return undefined;
  return last === '7' || Number(last) >= 9 ? 'light' : 'dark';
}

/** At this luminance black and white text are equally readable. */
const MIDDLE = 0.18;

function hexChannels(answer: string): RegExpExecArray | null {
  return /#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b/i.exec(answer);
}
