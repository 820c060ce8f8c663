/** Edits a text in the user's editor, through a temporary file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@gemini-cli/core';
import { type EditorOptions, type EditorStart, editorCommand } from './editor-command.js';

export interface ExternalEditing extends EditorOptions {
  /** Starts the editor and waits until it ends. */
  start: (editor: EditorStart, file: string) => Promise<void>;
}

export type Edited = { kind: 'text'; text: string } | { kind: 'problem'; message: string };

/** Never rejects; always removes the file. */
export async function editText(text: string, editing: ExternalEditing): Promise<Edited> {
  const editor = editorCommand(editing);
  if (!editor) {
    return {
      kind: 'problem',
      message: 'No editor was found: choose one with /editor or set VISUAL or EDITOR.',
    };
  }
  const directory = mkdtempSync(join(tmpdir(), 'gemini-edit-'));
  const file = join(directory, 'prompt.md');
  try {
    writeFileSync(file, text, { mode: 0o600 });
    await editing.start(editor, file);
    return { kind: 'text', text: withoutLastLineEnd(readFileSync(file, 'utf8')) };
  } catch (error) {
    return { kind: 'problem', message: `The editor ${editor.name} could not be used: ${messageOf(error)}` };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Editors add a line end at the end of a file. */
function withoutLastLineEnd(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/^\ufeff/, '')
    .replace(/\n$/, '');
}
