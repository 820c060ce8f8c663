/** Tells the type of a file by its name. */
import { extname } from 'node:path';

export type NamedType = 'text' | 'svg' | 'image' | 'audio' | 'video' | 'pdf' | 'binary';

/** Undefined when the name does not tell. */
export function typeByName(path: string): NamedType | undefined {
  const suffix = suffixOf(path);
  // MIME tables list `.ts` as video.
  if (TYPESCRIPT.has(suffix)) return 'text';
  if (suffix === 'svg') return 'svg';
  const mime = mimeTypeOf(path);
  if (mime === 'application/pdf') return 'pdf';
  if (mime?.startsWith('image/')) return 'image';
  if (mime?.startsWith('audio/')) return 'audio';
  if (mime?.startsWith('video/')) return 'video';
  return BINARY_SUFFIXES.has(suffix) ? 'binary' : undefined;
}

export function mimeTypeOf(path: string): string | undefined {
  const suffix = suffixOf(path);
  return Object.hasOwn(MIME_TYPES, suffix) ? MIME_TYPES[suffix] : undefined;
}

/** Audio types that models accept. */
export function isAcceptedAudio(mimeType: string): boolean {
  return ACCEPTED_AUDIO.has(mimeType);
}

/** Never shown, and skipped when many files are read. */
export const ARCHIVE_AND_OFFICE_SUFFIXES: readonly string[] =
  'bin exe dll so dylib class jar war zip tar gz bz2 rar 7z pak rpa doc docx xls xlsx ppt pptx odt ods odp'.split(
    ' ',
  );

function suffixOf(path: string): string {
  return extname(path).slice(1).toLowerCase();
}

const TYPESCRIPT = new Set(['ts', 'mts', 'cts']);

const BINARY_SUFFIXES = new Set([
  ...ARCHIVE_AND_OFFICE_SUFFIXES,
  ...'pyc pyo dat obj o a lib wasm'.split(' '),
]);

const ACCEPTED_AUDIO = new Set(['mpeg', 'wav', 'aiff', 'aac', 'ogg', 'flac'].map((name) => `audio/${name}`));

const MIME_TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  heif: 'image/heif',
  avif: 'image/avif',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  aif: 'audio/aiff',
  aiff: 'audio/aiff',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  opus: 'audio/opus',
  wma: 'audio/x-ms-wma',
  mid: 'audio/midi',
  midi: 'audio/midi',
  amr: 'audio/amr',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  wmv: 'video/x-ms-wmv',
  flv: 'video/x-flv',
  '3gp': 'video/3gpp',
};
