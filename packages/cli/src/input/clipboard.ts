/** Copies and pastes text with the system's clipboard tools or through the terminal (OSC 52). */
import { type RunTool, runTool } from './run-tool.js';

export interface ClipboardOptions {
  env: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  /** Writes to the terminal without going through the frame. */
  writeToTerminal(sequence: string): void;
  /** `experimental.useOSC52Copy`: no tool is tried. */
  byTerminal?: boolean;
  run?: RunTool;
}

interface Tool {
  file: string;
  args: readonly string[];
  /** `clip.exe` expects it. */
  utf16?: boolean;
}

export type CopyOutcome = { by: 'tool'; tool: string } | { by: 'terminal' };

/** Over SSH only the terminal can reach the user's clipboard. */
export async function copyText(text: string, options: ClipboardOptions): Promise<CopyOutcome> {
  const { env, run = runTool } = options;
  const platform = options.platform ?? process.platform;
  const tools = options.byTerminal || isRemote(env) ? [] : writers(env, platform);
  for (const tool of tools) {
    const input = tool.utf16 ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text);
    const { code } = await run(tool.file, tool.args, input);
    if (code === 0) return { by: 'tool', tool: tool.file };
  }
  options.writeToTerminal(throughMultiplexer(osc52(Buffer.from(text).toString('base64')), env));
  return { by: 'terminal' };
}

/** @returns undefined when the clipboard is empty or no tool can read it */
export async function pasteTextFromTools({
  env,
  platform = process.platform,
  run = runTool,
}: Omit<ClipboardOptions, 'writeToTerminal'>): Promise<string | undefined> {
  for (const { file, args } of readers(env, platform)) {
    const { code, stdout } = await run(file, args);
    if (code === 0) return stdout.toString('utf8');
  }
  return undefined;
}

/** `experimental.useOSC52Paste`: the answer comes as an `answer` event. */
export function askTerminalForClipboard({ env, writeToTerminal }: ClipboardOptions): void {
  writeToTerminal(throughMultiplexer(osc52('?'), env));
}

/** The clipboard text in a terminal answer; undefined for other answers. */
export function clipboardOfAnswer(sequence: string): string | undefined {
  const match = /^\x1b\]52;[a-z0-9]*;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\|\x9c)$/.exec(sequence);
  return match ? Buffer.from(match[1] ?? '', 'base64').toString('utf8') : undefined;
}

function isRemote(env: ClipboardOptions['env']): boolean {
  return Boolean(env['SSH_TTY'] || env['SSH_CONNECTION'] || env['SSH_CLIENT']);
}

function writers(env: ClipboardOptions['env'], platform: NodeJS.Platform): Tool[] {
  if (platform === 'darwin') return [{ file: 'pbcopy', args: [] }];
  if (platform === 'win32') return [{ file: 'clip', args: [], utf16: true }];
  return [
    ...(env['WAYLAND_DISPLAY'] ? [{ file: 'wl-copy', args: [] }] : []),
    ...(env['DISPLAY']
      ? [
          { file: 'xclip', args: ['-selection', 'clipboard', '-in'] },
          { file: 'xsel', args: ['--clipboard', '--input'] },
        ]
      : []),
    ...(env['WSL_DISTRO_NAME'] ? [{ file: 'clip.exe', args: [], utf16: true }] : []),
    ...(env['TERMUX_VERSION'] ? [{ file: 'termux-clipboard-set', args: [] }] : []),
  ];
}

function readers(env: ClipboardOptions['env'], platform: NodeJS.Platform): Tool[] {
  const powershell = (file: string): Tool => ({
    file,
    args: [
      '-NoProfile',
      '-Command',
      '[Console]::OutputEncoding=[Text.Encoding]::UTF8; [Console]::Out.Write((Get-Clipboard -Raw))',
    ],
  });
  if (platform === 'darwin') return [{ file: 'pbpaste', args: [] }];
  if (platform === 'win32') return [powershell('powershell')];
  return [
    ...(env['WAYLAND_DISPLAY'] ? [{ file: 'wl-paste', args: ['--no-newline', '--type', 'text'] }] : []),
    ...(env['DISPLAY']
      ? [
          { file: 'xclip', args: ['-selection', 'clipboard', '-out'] },
          { file: 'xsel', args: ['--clipboard', '--output'] },
        ]
      : []),
    ...(env['WSL_DISTRO_NAME'] ? [powershell('powershell.exe')] : []),
    ...(env['TERMUX_VERSION'] ? [{ file: 'termux-clipboard-get', args: [] }] : []),
  ];
}

function osc52(payload: string): string {
  return `\x1b]52;c;${payload}\x07`;
}

/** GNU screen accepts a long sequence only in small pieces. */
const SCREEN_PIECE = 240;

function throughMultiplexer(sequence: string, env: ClipboardOptions['env']): string {
  if (env['TMUX']) return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
  if (!env['STY']) return sequence;
  const pieces = sequence.match(new RegExp(`[^]{1,${SCREEN_PIECE}}`, 'g')) ?? [];
  return pieces.map((piece) => `\x1bP${piece}\x1b\\`).join('');
}
