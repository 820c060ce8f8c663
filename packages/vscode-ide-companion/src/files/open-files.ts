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

  /** Opened, not focused: it comes behind the one that is, since programs take the newest for the active one. */
  open(path: string): void {
    if (this.files.some((file) => file.path === path)) return;
    const active = this.files.filter((file) => file.isActive);
    const others = this.files.filter((file) => !file.isActive);
    const timestamp = active[0]?.timestamp ?? this.now();
    this.files = [...active, { path, timestamp }, ...others].slice(0, MAX_OPEN_FILES);
  }

  /** Also for a new selection in the file that has the focus, which keeps its time. */
  focus(path: string, selection: Selection): void {
    const [first] = this.files;
    const timestamp = first?.isActive && first.path === path ? first.timestamp : this.now();
    const others = this.files.filter((file) => file.path !== path).map(withoutFocus);
    const focused = { path, timestamp, isActive: true, ...selected(selection) };
    this.files = [focused, ...others].slice(0, MAX_OPEN_FILES);
  }

  /** The focus is on something that is not a file. */
  blur(): void {
    this.files = this.files.map(withoutFocus);
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
