/** Adds the contents of `@path` references to a prompt. */
import {
  DEFAULT_EXCLUDES,
  FatalInputError,
  FileError,
  messageOf,
  type Part,
  readContent,
} from '@gemini-cli/core';
import { parseAtReferences } from './at-parse.js';
import { type AtHost, type Resolution, resolveReference, showPath } from './at-resolve.js';
import { type AtServers, resourceContents, serverNote } from './at-servers.js';
import { permittedHost } from './permitted-host.js';
import { type PromptPieces, separator } from './prompt.js';

export interface ExpandedPrompt {
  parts: Part[];
  /** For the user: which files were skipped, and why. */
  notices: string[];
  /** What is sent with the prompt, as the user named it, e.g. `README.md (3 lines)`. */
  attached: string[];
  /** Typed paths that do not exist; they are sent as text. */
  missing: string[];
}

export interface ExpandOptions {
  signal: AbortSignal;
  /** Masks secrets in the text of files, as for tools. */
  mask: (text: string) => string;
  /** Without a file of that path, take the first whose name contains it. Default: true. */
  search?: boolean;
  /** The agent that a word names, in the spelling of its definition. */
  findAgent?: (name: string) => string | undefined;
  /** MCP servers: their resources are read, and their names are hints. */
  servers?: AtServers | undefined;
  /** Asks the user about a path outside the workspace; absent: such a path is an error. */
  mayRead?: (path: string) => Promise<boolean>;
}

/** Of all files together: no model takes more, and memory is limited. */
const MAX_TOTAL_CHARS = 20_000_000;
/** Limits the disk look-ups for piped data full of `@words`. */
const MAX_PIPED_LOOKUPS = 200;

/**
 * In piped data beside a typed prompt, only exact names of existing files are references: code is full of `@words`
 * that must reach the model unchanged.
 * @throws FatalInputError when a reference that the user typed cannot be read
 */
export async function expandAtReferences(
  { piped, typed }: PromptPieces,
  host: AtHost,
  options: ExpandOptions,
): Promise<ExpandedPrompt> {
  const processor = new AtCommandProcessor(host, options);
  if (typed === '') {
    await processor.addTyped(piped);
  } else {
    if (piped !== '') {
      await processor.addPiped(piped);
      processor.addText(separator(piped));
    }
    await processor.addTyped(typed);
  }
  return processor.result();
}

/** Builds one prompt from its pieces. */
export class AtCommandProcessor {
  private text = '';
  private chars = 0;
  private readonly contents: Part[] = [];
  private readonly notices: string[] = [];
  private readonly included = new Set<string>();
  private readonly attached: string[] = [];
  private readonly missing: string[] = [];
  /** Agents the user chose. */
  private readonly agents = new Set<string>();
  /** MCP servers the user chose. */
  private readonly chosenServers = new Set<string>();

  constructor(
    private host: AtHost,
    private readonly options: ExpandOptions,
  ) {}

  addText(text: string): void {
    this.text += text;
  }

  async addTyped(prompt: string): Promise<void> {
    for (const segment of parseAtReferences(prompt, { keepEscapes: false })) {
      if (segment.kind === 'text') {
        this.text += segment.text;
        continue;
      }
      const { path, raw } = segment;
      // A file of the same name needs a separator: `@./name`.
      const agent = /[\\/]/.test(path) ? undefined : this.options.findAgent?.(path);
      if (agent !== undefined) {
        this.text += raw;
        this.agents.add(agent);
        continue;
      }
      if (await this.addResource(path, raw)) continue;
      const server = this.options.servers?.named(path);
      if (server) this.chosenServers.add(server);
      // A server's name comes before a file whose name only contains the word.
      const resolution = await this.resolveTyped(path, { search: server === undefined });
      if (resolution.kind === 'refused')
        throw new FatalInputError(`Cannot read @${path}: ${resolution.reason}`);
      if (resolution.kind === 'ignored') this.notices.push(ignoredNotice(resolution.shown));
      if (resolution.kind === 'unknown' && /[./]/.test(path)) this.missing.push(path);
      await this.addReference(resolution, raw, { named: true });
    }
  }

  /** A file or folder that the front end names by its path. */
  async addPath(path: string): Promise<Resolution> {
    const resolution = await this.resolveTyped(path, { search: false });
    await this.addReference(resolution, `@${path}`, { named: true });
    return resolution;
  }

  async addPiped(data: string): Promise<void> {
    const lookups = new Set<string>();
    for (const segment of parseAtReferences(data, { keepEscapes: true })) {
      if (segment.kind === 'text') {
        this.text += segment.text;
        continue;
      }
      const { path, raw } = segment;
      lookups.add(path);
      const resolution: Resolution =
        lookups.size > MAX_PIPED_LOOKUPS
          ? { kind: 'unknown' }
          : await resolveReference(this.host, path, { search: false, signal: this.options.signal });
      const reference: Resolution = resolution.kind === 'file' ? resolution : { kind: 'unknown' };
      await this.addReference(reference, raw, { named: false });
    }
  }

  result(): ExpandedPrompt {
    const parts: Part[] = [{ text: this.text }];
    if (this.contents.length > 0) {
      parts.push({ text: '\n--- Content from referenced files ---' });
      parts.push(...this.contents);
      parts.push({ text: '\n--- End of content ---' });
    }
    if (this.agents.size > 0) parts.push({ text: agentNote([...this.agents]) });
    const { servers } = this.options;
    if (servers && this.chosenServers.size > 0)
      parts.push({ text: serverNote([...this.chosenServers], servers) });
    return { parts, notices: this.notices, attached: this.attached, missing: this.missing };
  }

  /** @returns false: it names no resource of a server */
  private async addResource(path: string, raw: string): Promise<boolean> {
    const { servers, signal, mask } = this.options;
    const found = servers?.find(path);
    if (!servers || !found) return false;
    const shown = `${found.server}:${found.uri}`;
    try {
      const parts = await resourceContents(servers, found, signal);
      this.text += `@${shown}`;
      const masked = parts.map((part) => (part.text === undefined ? part : { text: mask(part.text) }));
      this.contents.push({ text: `\nContent from @${shown}:\n` }, ...masked);
      this.attached.push(shown);
    } catch (error) {
      signal.throwIfAborted();
      this.notices.push(`@${path} was sent as text: ${messageOf(error)}`);
      this.text += raw;
    }
    return true;
  }

  /** A path outside the workspace is one the user may allow. */
  private async resolveTyped(path: string, { search }: { search: boolean }): Promise<Resolution> {
    const { signal, mayRead } = this.options;
    const maySearch = search && this.options.search !== false;
    const resolution = await resolveReference(this.host, path, { search: maySearch, signal });
    if (resolution.kind !== 'refused' || !resolution.outside || !(await mayRead?.(resolution.outside)))
      return resolution;
    this.host = permittedHost(this.host, resolution.outside);
    return resolveReference(this.host, resolution.outside, { search: false, signal });
  }

  /** @param named the user typed it, so that a failure to read it is an error */
  private async addReference(
    resolution: Resolution,
    raw: string,
    { named }: { named: boolean },
  ): Promise<void> {
    if (resolution.kind === 'file') {
      this.text += `@${resolution.shown}`;
      await this.include(resolution.path, resolution.shown, { named });
    } else if (resolution.kind === 'directory') {
      this.text += resolution.shown === '.' ? '@**' : `@${resolution.shown}/**`;
      await this.includeDirectory(resolution.path);
    } else {
      this.text += raw;
    }
  }

  private async includeDirectory(path: string): Promise<void> {
    const { files, ignored } = await this.host.getFileService().findFiles({
      roots: [path],
      include: ['**'],
      exclude: DEFAULT_EXCLUDES,
      options: this.host.getFileFilteringOptions(),
      signal: this.options.signal,
    });
    this.attached.push(`${showPath(this.host, path)}/ (${counted(files.length, 'file')})`);
    for (const file of files) {
      this.options.signal.throwIfAborted();
      await this.include(file, showPath(this.host, file), { named: false });
    }
    if (ignored > 0)
      this.notices.push(
        `Left out of ${showPath(this.host, path)}: ${ignored} ignored ${ignored === 1 ? 'file' : 'files'}.`,
      );
  }

  private async include(path: string, shown: string, { named }: { named: boolean }): Promise<void> {
    if (this.included.has(path)) return;
    this.included.add(path);
    if (this.chars > MAX_TOTAL_CHARS) {
      this.notices.push(`${shown} was left out: the referenced files are too large together.`);
      return;
    }
    try {
      await this.read(path, shown, { named });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.problem === 'binary') this.notices.push(`${shown} was left out: it is a binary file.`);
      else if (named) throw new FatalInputError(`Cannot read @${shown}: ${error.message}`, error);
      else this.notices.push(`${shown} was left out: ${error.message}`);
    }
  }

  private async read(path: string, shown: string, { named }: { named: boolean }): Promise<void> {
    const authorize = (realPath: string) => this.host.validatePathAccess(realPath, 'read');
    const content = await readContent(this.host.getFileSystemService(), path, {}, { authorize });
    const heading = { text: `\nContent from @${shown}:\n` };
    if (content.kind === 'media') {
      if (named) {
        this.contents.push(heading, content.part);
        this.attached.push(`${shown} (${content.type})`);
      } else this.notices.push(`${shown} was left out: ${content.type} files must be named one by one.`);
      return;
    }
    const { end, total, shortened } = content.lines;
    const text = this.options.mask(content.lines.text);
    this.chars += text.length;
    const isWhole = end === total && !shortened;
    if (named) this.attached.push(`${shown} (${end < total ? `${end} of ` : ''}${counted(total, 'line')})`);
    this.contents.push(heading, { text: isWhole ? text : `${truncationNote(end, total)}\n${text}` });
  }
}

/** Tells the model which tool the user's `@name` means. */
function agentNote(names: readonly string[]): string {
  const calls = names.map((name) => `\`invoke_agent\` with agent_name "${name}"`).join(' and ');
  return `\n<system_note>\nThe user chose ${names.length === 1 ? 'a sub-agent' : 'sub-agents'} for this: call ${calls}.\n</system_note>`;
}

function truncationNote(end: number, total: number): string {
  return `[Truncated: lines 1-${end} of ${total} are shown, long lines are cut. read_file shows the rest.]`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function ignoredNotice(shown: string): string {
  return `@${shown} was left out: it is ignored by .gitignore or .geminiignore.`;
}
