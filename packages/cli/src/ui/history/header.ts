/** Draws the top of the screen: logo, version, signed-in account, tips. */
import type { Look } from '../look.js';
import { cleanLine, cleanText } from '../text/clean.js';
import { fitSpans, paintSpans, type Span, span, spansWidth } from '../text/spans.js';
import { mix, parseColor, rgbOf } from '../themes/color.js';
import type { Style } from '../themes/style.js';
import { stylesOf } from '../themes/styles.js';
import { wrapLine } from './fields.js';

export interface HeaderView {
  version: string;
  /** Auth method or e-mail; absent with `ui.showUserIdentity` off. */
  identity?: string;
  plan?: string;
  /** The spinner's frame while a self-update runs. */
  updating?: string;
  /** A notice from the server. */
  banner?: string;
  /** `ui.hideBanner` hides logo and names; tips and the server's notice stay. */
  isHidden?: boolean;
  tips?: readonly string[];
}

/** The Twins logo: the prompt sign, twice. */
const LOGO = ['▝▙▖ ▝▙▖ ', ' ▝▙▖ ▝▙▖', ' ▗▛▘ ▗▛▘', '▗▛▘ ▗▛▘ '];
const LOGO_COLUMNS = 8;
const GAP = '   ';
const NARROW_HEADER = 60;
const INDEPENDENT = 'independent, not by Google';

export function headerLines(header: HeaderView, look: Look): string[] {
  const sections = [
    header.isHidden || look.screenReader ? [] : titleLines(header, look),
    header.banner ? bannerLines(header.banner, look) : [],
    tipLines(header.tips ?? [], look),
  ].filter((section) => section.length > 0);
  return sections.flatMap((section, index) => (index > 0 ? ['', ...section] : section));
}

function titleLines(header: HeaderView, look: Look): string[] {
  const facts = factLines(header, look);
  const logo = LOGO.map((row, index) => gradient(row, index, look));
  if (look.width < NARROW_HEADER) {
    const narrow = facts.flatMap((line) => wrapLine(line, look));
    return look.width < LOGO_COLUMNS ? narrow : [...logo, '', ...narrow];
  }
  const start = Math.max(0, Math.floor((LOGO.length - facts.length) / 2));
  return logo.map((row, index) => {
    const fact = facts[index - start];
    if (!fact || spansWidth(fact) === 0) return row;
    const room = look.width - LOGO_COLUMNS - GAP.length;
    return row + GAP + paintSpans(fitSpans(fact, room), look.paint);
  });
}

function factLines({ version, identity, plan, updating }: HeaderView, look: Look): Span[][] {
  const styles = stylesOf(look.theme);
  const name = [span('Gemini CLI', styles.bold), span(` v${cleanLine(version)}`, styles.secondary)];
  if (updating !== undefined) name.push(span(`  ${updating ? `${updating} ` : ''}Updating`, styles.accent));
  // Users must know that mistakes are not to be reported to Google.
  name.push(span(` · ${INDEPENDENT}`, styles.secondary));
  const facts = [name, []];
  if (identity) facts.push([span(cleanLine(identity), styles.primary), span('  /auth', styles.secondary)]);
  if (plan) facts.push([span(cleanLine(plan), styles.primary), span('  /upgrade', styles.secondary)]);
  return facts.length === 2 ? [name] : facts;
}

function bannerLines(banner: string, look: Look): string[] {
  const { warning } = stylesOf(look.theme);
  return wrapLine([span(cleanText(banner).trim(), warning)], look);
}

/** At most four. */
function tipLines(tips: readonly string[], look: Look): string[] {
  if (tips.length === 0) return [];
  const { secondary, primary } = stylesOf(look.theme);
  const lines = tips
    .slice(0, 4)
    .flatMap((tip, index) => wrapLine([span(`${index + 1}. ${cleanLine(tip)}`, secondary)], look));
  return [...wrapLine([span('Tips for getting started:', primary)], look), ...lines];
}

export function startTips(hasContextFile: boolean): string[] {
  const tips = [
    'Say what you want done; the agent reads, edits and runs what it needs, and asks first.',
    'Type @ to point at a file or folder, ! to run a shell command yourself.',
    'Run /init once to write a GEMINI.md with what the agent should know here.',
    'Type /help for all commands, ? for the keys.',
  ];
  return hasContextFile ? tips.filter((tip) => !tip.includes('GEMINI.md')) : tips;
}

/** A gradient of the theme's colours from corner to corner. */
function gradient(row: string, rowIndex: number, look: Look): string {
  const colors = look.theme.ui.gradient.flatMap((color) => parseColor(color) ?? []).map(rgbOf);
  if (colors.length === 0) return look.paint(row, stylesOf(look.theme).accent);
  const spans = [...row].map((character, column) => {
    if (character === ' ') return span(' ');
    const share = (column + rowIndex) / (LOGO_COLUMNS + LOGO.length - 2);
    const place = share * (colors.length - 1);
    const from = colors[Math.floor(place)] ?? colors[0];
    const to = colors[Math.ceil(place)] ?? from;
    const style: Style = from && to ? { color: mix(from, to, place - Math.floor(place)) } : {};
    return span(character, style);
  });
  return paintSpans(spans, look.paint);
}
