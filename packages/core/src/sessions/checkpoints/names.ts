/** Names of checkpoint files. Their parts come from the model or the user and must not lead to another folder. */
import { basename } from 'node:path';

const MAX_BASE_BYTES = 100;
const MAX_TOOL_BYTES = 60;
/** `checkpoint-….json` must fit into 255 bytes. */
const MAX_TAG_BYTES = 230;

export interface CheckpointSubject {
  timeMs: number;
  /** The file that is about to change, or the folder. */
  path: string;
  toolName: string;
}

/** `2026-11-15T10-00-00_000Z-app.ts-write_file`, without the extension. */
export function checkpointName({ timeMs, path, toolName }: CheckpointSubject): string {
  const time = new Date(timeMs).toISOString().replaceAll(':', '-').replaceAll('.', '_');
  return `${time}-${asTag(path)}-${shortened(asFileName(toolName), MAX_TOOL_BYTES)}`;
}

/** The tag that the user gave, as it stands in a name; undefined: the program made the checkpoint. */
export function tagIn(name: string): string | undefined {
  return /^[\dTZ_-]+?Z-(.+)-checkpoint(?:-\d+)?$/s.exec(name)?.[1];
}

export function asTag(text: string): string {
  return shortened(asFileName(basename(text)), MAX_BASE_BYTES);
}

const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)_(\d{3})Z(?=-)/;

/** The creation time in a checkpoint's name; undefined for other names. */
export function timeInName(name: string): number | undefined {
  const [, day, hour, minute, second, fraction] = TIME.exec(name) ?? [];
  const time = Date.parse(`${day}T${hour}:${minute}:${second}.${fraction}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Whether a name is safe in a directory of ours and on a terminal. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\p{C}\p{Zl}\p{Zp}]/u.test(name);
}

/** Undefined when a file cannot have that tag. */
export function fileNameOfTag(tag: string): string | undefined {
  const encoded = encodedTag(tag);
  return encoded && encoded.length <= MAX_TAG_BYTES ? `checkpoint-${encoded}.json` : undefined;
}

/** The name older versions used; undefined where that would lead to another folder. */
export function plainFileNameOfTag(tag: string): string | undefined {
  return isPlainName(tag) && Buffer.byteLength(tag) <= MAX_TAG_BYTES ? `checkpoint-${tag}.json` : undefined;
}

/** The tag in a file name; undefined when the file is not a chat checkpoint. */
export function tagOfFileName(fileName: string): string | undefined {
  const encoded = /^checkpoint-(.+)\.json$/s.exec(fileName)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function encodedTag(tag: string): string | undefined {
  try {
    return encodeURIComponent(tag.trim()).replaceAll('*', '%2A');
  } catch {
    // A lone surrogate cannot be encoded.
    return undefined;
  }
}

function asFileName(text: string): string {
  return text.replace(/[/\\:*?"<>|\p{C}\p{Zl}\p{Zp}]/gu, '_') || '_';
}

function shortened(text: string, maxBytes: number): string {
  let short = text;
  while (Buffer.byteLength(short) > maxBytes) short = [...short].slice(0, -1).join('');
  return short;
}
