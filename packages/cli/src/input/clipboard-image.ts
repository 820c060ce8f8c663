/** Saves an image from the clipboard in the project's temporary directory. */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunTool, runTool } from './run-tool.js';

export interface ClipboardImageOptions {
  env: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  /** `images` below the project's temporary directory. */
  directory: string;
  /** Milliseconds since 1970. */
  now(): number;
  run?: RunTool;
}

export type PastedImage =
  | { kind: 'image'; path: string; fileName: string }
  | { kind: 'none' }
  | { kind: 'problem'; message: string };

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const KEPT_MS = 60 * 60 * 1000;
const NAME = /^clipboard-\d+\.png$/;

export async function saveClipboardImage(options: ClipboardImageOptions): Promise<PastedImage> {
  const read = await readImage(options);
  if (!Buffer.isBuffer(read)) return read;
  const { directory, now } = options;
  const time = now();
  const fileName = `clipboard-${time}.png`;
  const path = join(directory, fileName);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(path, read, { mode: 0o600 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'problem', message: `The image could not be saved in ${directory}: ${reason}` };
  }
  removeOldImages(directory, time);
  return { kind: 'image', path, fileName };
}

/** Removes saved clipboard images after an hour. */
export function removeOldImages(directory: string, now: number): void {
  for (const name of listed(directory)) {
    if (!NAME.test(name)) continue;
    const path = join(directory, name);
    try {
      if (now - statSync(path).mtimeMs > KEPT_MS) rmSync(path);
    } catch {
      // Another session may have removed it; otherwise the next paste tries again.
    }
  }
}

async function readImage({
  env,
  platform = process.platform,
  run = runTool,
}: ClipboardImageOptions): Promise<Buffer | { kind: 'none' } | { kind: 'problem'; message: string }> {
  const readers = imageReaders(env, platform);
  const missing: string[] = [];
  for (const { file, args, decode } of readers) {
    const { code, stdout, isMissing } = await run(file, args);
    if (isMissing) missing.push(file);
    else if (code === 0) {
      const image = decode(stdout);
      if (image.subarray(0, PNG.length).equals(PNG)) return image;
    }
  }
  if (missing.length < readers.length) return { kind: 'none' };
  return { kind: 'problem', message: missingTools(env, platform) };
}

interface ImageReader {
  file: string;
  args: string[];
  decode(output: Buffer): Buffer;
}

const asIs = (output: Buffer) => output;
const POWERSHELL = [
  'Add-Type -AssemblyName System.Windows.Forms,System.Drawing',
  '$image = [Windows.Forms.Clipboard]::GetImage()',
  'if ($image) { $stream = New-Object IO.MemoryStream',
  '$image.Save($stream, [Drawing.Imaging.ImageFormat]::Png)',
  '[Console]::Out.Write([Convert]::ToBase64String($stream.ToArray())) }',
].join('; ');

function imageReaders(env: ClipboardImageOptions['env'], platform: NodeJS.Platform): ImageReader[] {
  const powershell = (file: string): ImageReader => ({
    file,
    args: ['-NoProfile', '-STA', '-Command', POWERSHELL],
    decode: (output) => Buffer.from(output.toString('latin1').trim(), 'base64'),
  });
  if (platform === 'win32') return [powershell('powershell')];
  if (platform === 'darwin') {
    return [{ file: 'osascript', args: ['-e', 'get the clipboard as «class PNGf»'], decode: hexData }];
  }
  return [
    ...(env['WAYLAND_DISPLAY'] ? [{ file: 'wl-paste', args: ['--type', 'image/png'], decode: asIs }] : []),
    ...(env['DISPLAY']
      ? [{ file: 'xclip', args: ['-selection', 'clipboard', '-target', 'image/png', '-out'], decode: asIs }]
      : []),
    ...(env['WSL_DISTRO_NAME'] ? [powershell('powershell.exe')] : []),
  ];
}

/** `«data PNGf89504E47…»` */
function hexData(output: Buffer): Buffer {
  const hex = /PNGf([0-9A-F]+)/i.exec(output.toString('latin1'))?.[1] ?? '';
  return Buffer.from(hex, 'hex');
}

function missingTools(env: ClipboardImageOptions['env'], platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Images need osascript, which was not found.';
  if (platform === 'win32') return 'Images need PowerShell, which was not found.';
  if (env['WAYLAND_DISPLAY']) return 'To paste images install wl-clipboard (wl-paste).';
  if (env['DISPLAY']) return 'To paste images install xclip.';
  return 'There is no clipboard here (neither WAYLAND_DISPLAY nor DISPLAY is set).';
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
