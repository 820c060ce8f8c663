/** `@{…}` in a template: replaced by the content of a file or folder that tools may read. */
import { type Config, DEFAULT_EXCLUDES, FileError, type Part, readContent } from '@gemini-cli/core';
import { type AtHost, resolveReference, showPath } from '../../input/at-resolve.js';

export type InjectionHost = AtHost & Pick<Config, 'maskForModel'>;

export interface InjectedFile {
  parts: Part[];
  notices: { level: 'info' | 'error'; text: string }[];
}

const MAX_FOLDER_CHARS = 2_000_000;

/** @param raw the placeholder, which stays in the prompt when nothing can be read */
export async function injectFile(
  { path, raw }: { path: string; raw: string },
  host: InjectionHost,
  signal: AbortSignal,
): Promise<InjectedFile> {
  const unread = (text: string): InjectedFile => ({
    parts: [{ text: raw }],
    notices: [{ level: 'error', text: `${raw} was not replaced: ${text}` }],
  });
  if (path === '') return unread('it names no file.');
  const found = await resolveReference(host, path, { search: false, signal });
  switch (found.kind) {
    case 'ignored':
      return {
        parts: [],
        notices: [
          { level: 'info', text: `${raw} was left out: it is ignored by .gitignore or .geminiignore.` },
        ],
      };
    case 'unknown':
      return unread('there is no such file in the workspace.');
    case 'refused':
      return unread(found.reason);
    case 'directory':
      return readFolder(found.path, found.shown, host, signal);
    case 'file':
      try {
        return { parts: [await read(found.path, host)], notices: [] };
      } catch (error) {
        if (error instanceof FileError) return unread(error.message);
        throw error;
      }
  }
}

async function readFolder(
  path: string,
  shown: string,
  host: InjectionHost,
  signal: AbortSignal,
): Promise<InjectedFile> {
  const { files } = await host.getFileService().findFiles({
    roots: [path],
    include: ['**'],
    exclude: DEFAULT_EXCLUDES,
    options: host.getFileFilteringOptions(),
    signal,
  });
  const parts: Part[] = [{ text: `--- Start of content for directory: ${shown} ---\n` }];
  const notices: InjectedFile['notices'] = [];
  let chars = 0;
  for (const file of files) {
    signal.throwIfAborted();
    const name = showPath(host, file);
    if (chars > MAX_FOLDER_CHARS) {
      notices.push({
        level: 'info',
        text: `${name} and what follows were left out: the folder is too large.`,
      });
      break;
    }
    try {
      const part = await read(file, host);
      chars += part.text?.length ?? 0;
      parts.push({ text: `--- ${name} ---\n` }, part, { text: '\n' });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.problem !== 'binary')
        notices.push({ level: 'info', text: `${name} was left out: ${error.message}` });
    }
  }
  parts.push({ text: `--- End of content for directory: ${shown} ---` });
  return { parts, notices };
}

async function read(path: string, host: InjectionHost): Promise<Part> {
  const authorize = (realPath: string) => host.validatePathAccess(realPath, 'read');
  const content = await readContent(host.getFileSystemService(), path, {}, { authorize });
  if (content.kind === 'media') return content.part;
  const { text, end, total, shortened } = content.lines;
  const isWhole = end === total && !shortened;
  const masked = host.maskForModel(text);
  return { text: isWhole ? masked : `${masked}\n[Truncated: lines 1-${end} of ${total}.]` };
}
