/** The content of one file as a model gets it: text within limits, or media. */
import { looksBinary } from '../../platform/files/binary-sniff.js';
import { FileError } from '../../platform/files/file-error.js';
import type { FileSystemService, ReadOptions } from '../../platform/files/file-system.js';
import { isAcceptedAudio, mimeTypeOf, type NamedType, typeByName } from '../../platform/files/file-type.js';
import type { Part } from '../../protocol/messages.js';
import { type LineRange, type SelectedLines, selectLines } from './select-lines.js';

export type FileContent =
  | { kind: 'text'; lines: SelectedLines; isSvg: boolean }
  | { kind: 'media'; part: Part; type: MediaType };

export type MediaType = 'image' | 'audio' | 'video' | 'pdf';

const MAX_SVG_BYTES = 1024 * 1024;

/** @throws FileError */
export async function readContent(
  files: FileSystemService,
  path: string,
  range: LineRange,
  options: ReadOptions,
): Promise<FileContent> {
  const type = typeByName(path);
  if (type === 'binary' || type === 'svg') {
    const { size } = await files.inspect(path, options);
    if (type === 'binary') throw new FileError('binary', `Binary file: ${path}`);
    if (size > MAX_SVG_BYTES) {
      throw new FileError('too_large', `Cannot display an SVG file larger than 1 MB: ${path}`);
    }
  }
  if (isMedia(type)) {
    const bytes = await files.readBytes(path, options);
    const isText = (type === 'audio' || type === 'video') && !looksBinary(bytes);
    if (!isText) return { kind: 'media', part: mediaPart(path, type, bytes), type };
  }
  const { text } = await files.readTextFile(path, options);
  return { kind: 'text', lines: selectLines(text, range), isSvg: type === 'svg' };
}

function isMedia(type: NamedType | undefined): type is MediaType {
  return type === 'image' || type === 'audio' || type === 'video' || type === 'pdf';
}

function mediaPart(path: string, type: MediaType, bytes: Buffer): Part {
  const mimeType = mimeTypeOf(path) ?? 'application/octet-stream';
  if (type === 'audio' && !isAcceptedAudio(mimeType)) {
    throw new FileError(
      'io',
      `Models cannot listen to ${mimeType}: ${path}. Convert it to mp3 or wav first.`,
    );
  }
  if (bytes.length === 0) throw new FileError('io', `The ${type} file is empty: ${path}`);
  return { inlineData: { mimeType, data: bytes.toString('base64') } };
}
