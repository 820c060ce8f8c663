/** Detects how many colours the terminal can show, from environment variables. */

export type ColorDepth = 'none' | 'ansi16' | 'ansi256' | 'truecolor';

export interface ColorStream {
  isTTY?: boolean;
}

/** `NO_COLOR` and `FORCE_COLOR` come first, then what is known about the terminal. */
export function detectColorDepth(env: NodeJS.ProcessEnv, stream: ColorStream): ColorDepth {
  if (isNoColor(env)) return 'none';
  const forced = forcedDepth(env['FORCE_COLOR']);
  if (forced === 'none') return 'none';
  const term = (env['TERM'] ?? '').toLowerCase();
  if (!forced && (!stream.isTTY || term === 'dumb')) return 'none';
  if (forced && env['FORCE_COLOR'] !== '' && env['FORCE_COLOR'] !== 'true' && env['FORCE_COLOR'] !== '1')
    return forced;
  const own = depthOfTerminal(env, term);
  return own === 'none' ? (forced ?? 'none') : own;
}

/** Bold, italic and so on work in every terminal except a dumb one, even without colours. */
export function hasTextAttributes(env: NodeJS.ProcessEnv, stream: ColorStream): boolean {
  if (detectColorDepth(env, stream) !== 'none') return true;
  const term = (env['TERM'] ?? '').toLowerCase();
  return stream.isTTY === true && term !== '' && term !== 'dumb';
}

/** https://no-color.org: any value but the empty one. */
export function isNoColor(env: NodeJS.ProcessEnv): boolean {
  return (env['NO_COLOR'] ?? '') !== '';
}

function forcedDepth(value: string | undefined): ColorDepth | undefined {
  switch (value) {
    case undefined:
      return undefined;
    case '0':
    case 'false':
      return 'none';
    case '2':
      return 'ansi256';
    case '3':
      return 'truecolor';
    default:
      return 'ansi16';
  }
}

const TRUECOLOR_PROGRAMS = new Set([
  'iTerm.app',
  'WezTerm',
  'vscode',
  'ghostty',
  'Hyper',
  'WarpTerminal',
  'rio',
  'Tabby',
]);
const TRUECOLOR_TERMS = /^(xterm-(kitty|ghostty|direct)|alacritty|wezterm|foot|contour|.*-direct$)/;

function depthOfTerminal(env: NodeJS.ProcessEnv, term: string): ColorDepth {
  if (/^(truecolor|24bit)$/i.test(env['COLORTERM'] ?? '')) return 'truecolor';
  if (TRUECOLOR_PROGRAMS.has(env['TERM_PROGRAM'] ?? '') || env['WT_SESSION']) return 'truecolor';
  if (TRUECOLOR_TERMS.test(term)) return 'truecolor';
  if (env['TERM_PROGRAM'] === 'Apple_Terminal' || /-256(color)?$/.test(term)) return 'ansi256';
  if (term === '') return process.platform === 'win32' ? 'truecolor' : 'none';
  return 'ansi16';
}
