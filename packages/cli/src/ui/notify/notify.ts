/** Sends a notification through the terminal, or rings its bell. */
import { cleanLine } from '../text/clean.js';

export type NotificationMethod = 'auto' | 'osc9' | 'osc777' | 'bell';

const BELL_PROGRAMS = new Set(['Apple_Terminal', 'vscode', 'alacritty']);

export function notificationSequence(
  { title, text }: { title: string; text: string },
  method: NotificationMethod,
  env: NodeJS.ProcessEnv,
): string {
  // A semicolon would end the field.
  const clean = (words: string) => cleanLine(words).replaceAll(';', ',').slice(0, 200);
  switch (method === 'auto' ? methodFor(env) : method) {
    case 'osc9':
      return throughMultiplexer(`\x1b]9;${clean(`${title}: ${text}`)}\x07`, env);
    case 'osc777':
      return throughMultiplexer(`\x1b]777;notify;${clean(title)};${clean(text)}\x07`, env);
    default:
      return '\x07';
  }
}

function methodFor(env: NodeJS.ProcessEnv): NotificationMethod {
  const program = env['TERM_PROGRAM'] ?? '';
  if (program === 'iTerm.app' || env['LC_TERMINAL'] === 'iTerm2') return 'osc9';
  const hasBell =
    BELL_PROGRAMS.has(program) || env['WT_SESSION'] || env['ALACRITTY_WINDOW_ID'] || env['TERM'] === 'dumb';
  return hasBell ? 'bell' : 'osc777';
}

/** tmux and screen pass such sequences on only when they are wrapped. */
function throughMultiplexer(sequence: string, env: NodeJS.ProcessEnv): string {
  if (env['TMUX']) return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
  if (env['STY']) return `\x1bP${sequence}\x1b\\`;
  return sequence;
}
