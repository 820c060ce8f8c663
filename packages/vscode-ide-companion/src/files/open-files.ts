/** The files that are open in the editor, newest first, as plain data. */
import { sep } from 'node:path';
import { MAX_OPEN_FILES, MAX_SELECTED_TEXT, type OpenFile } from '../protocol.js';

const CUT = '… [truncated]';

export interface Selection {
  cursor: { line: number; character: number };
  /** Empty when nothing is selected. */
  text: string;
}

export class OpenFiles {
  private files: OpenFile[] = [];

  constructor(private readonly now: () => number) {}

  list(): OpenFile[] {
    return this.files;
  }

  /** Opened, not focused. */
  open(path: string): void {
    if (this.files.some((file) => file.path === path)) return;
    const oldest = this.files.at(-1)?.timestamp ?? this.now();
    this.files = [...this.files, { path, timestamp: oldest }].slice(0, MAX_OPEN_FILES);
  }

  focus(path: string, selection: Selection): void {
    const others = this.files.filter((file) => file.path !== path).map(withoutFocus);
    const focused = { path, timestamp: this.now(), isActive: true, ...selected(selection) };
    this.files = [focused, ...others].slice(0, MAX_OPEN_FILES);
  }

  /** The focus is on something that is not a file. */
  blur(): void {
    this.files = this.files.map(withoutFocus);
  }

  select(path: string, selection: Selection): void {
    this.files = this.files.map((file) =>
      file.path === path && file.isActive
        ? { path, timestamp: file.timestamp, isActive: true, ...selected(selection) }
        : file,
    );
  }

  /** Of a folder too: what lies below it goes with it. */
  close(path: string): void {
    this.files = this.files.filter((file) => file.path !== path && !file.path.startsWith(path + sep));
  }

  rename(from: string, to: string): void {
    this.files = this.files.map((file) => {
      if (file.path !== from && !file.path.startsWith(from + sep)) return file;
      return { ...file, path: to + file.path.slice(from.length) };
    });
  }
}

function withoutFocus({ path, timestamp }: OpenFile): OpenFile {
  return { path, timestamp };
}

function selected({ cursor, text }: Selection): Pick<OpenFile, 'cursor' | 'selectedText'> {
  return text === '' ? { cursor } : { cursor, selectedText: shorten(text) };
}

function shorten(text: string): string {
  if (text.length <= MAX_SELECTED_TEXT) return text;
  const kept = text.slice(0, MAX_SELECTED_TEXT - CUT.length);
  // Half of a character would not be valid text.
  return kept.replace(/[\uD800-\uDBFF]$/, '') + CUT;
}
