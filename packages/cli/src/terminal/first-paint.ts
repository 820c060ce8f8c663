/**
 * Draws the input box before anything else is loaded and echoes what the user types. Keeps every byte, in order, for
 * the interface that takes over.
 */
import { type FrameOutput, type FrameSize, FrameWriter } from './frame-writer.js';
import { isReaderGone, writeFully } from './write-fd.js';

export const PLACEHOLDER = 'Type your message or @path/to/file';

export interface FirstPaint {
  /** Knows what is on the screen; the interface continues with it. */
  writer: FrameOutput;
  /** Passes everything typed so far to `onData`, then all later input. */
  takeOver(onData: (chunk: Buffer) => void): void;
  /** Restores the terminal when no interface will be started. @returns everything typed so far */
  release(): Buffer;
}

/** Passes what was typed to the same program in a sandbox, as base64. */
export const TYPED_VARIABLE = 'GEMINI_CLI_TYPED';

/** So many Ctrl+C before the interface is there end the program. */
const MAX_INTERRUPTS = 3;

export function startFirstPaint(): FirstPaint {
  const { stdin } = process;
  const writer = new FrameWriter({
    write: writeToTerminal,
    size: terminalSize,
    widthOf: (line) => line.replace(/\x1b\[[0-9;]*m/g, '').length,
    sinksOnReflow: process.env['TERM_PROGRAM'] === 'vscode',
    rewraps: !isCuttingTerminal(process.env),
  });
  const chunks: Buffer[] = [];
  let echo = '';
  let isEchoing = true;
  let interrupts = 0;
  let isCooked = true;
  let forward: ((chunk: Buffer) => void) | undefined;

  const onData = (data: Buffer) => {
    const chunk = isCooked ? asTyped(data) : data;
    isCooked = false;
    if (forward) return forward(chunk);
    chunks.push(chunk);
    interrupts += chunk.filter((byte) => byte === 3).length;
    if (interrupts >= MAX_INTERRUPTS) {
      release();
      process.exit(130);
    }
    ({ echo, isEchoing } = echoOf(echo, chunk.toString('utf8'), isEchoing));
    paint(writer, echo);
  };
  const onResize = () => {
    if (forward) return;
    writer.resized();
    paint(writer, echo);
  };
  const release = () => {
    stdin.off('data', onData);
    process.off('SIGWINCH', onResize);
    writer.draw([]);
    writeToTerminal('\x1b[?2004l\x1b[?25h');
    stdin.setRawMode?.(false);
    stdin.pause();
    return Buffer.concat(chunks);
  };

  stdin.setRawMode?.(true);
  // Erase what the terminal echoed before raw mode.
  writeToTerminal('\r\x1b[K\x1b[?2004h');
  paint(writer, echo);
  const typed = takeTyped();
  if (typed) onData(typed);
  stdin.on('data', onData);
  // Input typed before raw mode arrives in this turn of the event loop, if there is any.
  setImmediate(() => {
    isCooked = false;
  });
  process.on('SIGWINCH', onResize);
  return {
    writer,
    takeOver: (handler) => {
      forward = handler;
      process.off('SIGWINCH', onResize);
      for (const chunk of chunks.splice(0)) handler(chunk);
    },
    release,
  };
}

/** What was typed before this program was started in a sandbox; its children do not get the variable. */
export function takeTyped(): Buffer | undefined {
  const typed = process.env[TYPED_VARIABLE];
  delete process.env[TYPED_VARIABLE];
  return typed ? Buffer.from(typed, 'base64') : undefined;
}

/** Before raw mode the terminal turns Enter into a line feed: turn it back. */
function asTyped(data: Buffer): Buffer {
  return data.includes(0x0a) ? Buffer.from(data.map((byte) => (byte === 0x0a ? 0x0d : byte))) : data;
}

/** Echoes plain characters and Backspace; at any other key it stops, since only the interface knows all keys. */
function echoOf(echo: string, text: string, isEchoing: boolean): { echo: string; isEchoing: boolean } {
  if (!isEchoing) return { echo, isEchoing };
  let shown = echo;
  for (const character of text) {
    if (character === '\x7f') shown = [...shown].slice(0, -1).join('');
    else if (character < ' ' || character === '\x1b') return { echo: shown, isEchoing: false };
    else shown += character;
  }
  return { echo: shown, isEchoing };
}

function paint(writer: FrameWriter, echo: string): void {
  const { columns } = terminalSize();
  const room = Math.max(1, columns - 4);
  const text = [...echo].slice(-room).join('');
  const shown = echo === '' ? `\x1b[2m  ${PLACEHOLDER}`.slice(0, room + 4) : text;
  writer.draw(['', ` > ${shown}`, ''], { row: 1, column: 3 + text.length });
}

/** xterm itself, GNU screen and the Linux console cut long lines when the window gets narrower. */
function isCuttingTerminal(env: NodeJS.ProcessEnv): boolean {
  if (env['TMUX']) return false;
  return Boolean(env['XTERM_VERSION'] || env['STY']) || env['TERM'] === 'linux';
}

export function terminalSize(): FrameSize {
  const { columns, rows } = process.stdout;
  return { columns: columns || 80, rows: rows || 24 };
}

/** Ends the program as a hang-up does when the terminal is gone. */
export function writeToTerminal(data: string): void {
  try {
    writeFully(1, data);
  } catch (error) {
    const isGone = isReaderGone(error) || (error instanceof Error && 'code' in error && error.code === 'EIO');
    if (!isGone) throw error;
    process.kill(process.pid, 'SIGHUP');
  }
}
