/** The prompt in the user's editor: a temporary file, the screen given away and taken back. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EditorStart, type EditorWish, editorCommand } from './editor-command.js';

/** Whoever draws: an editor in the terminal needs the whole screen and the keyboard. */
export interface ScreenPort {
  giveAway(): void | Promise<void>;
  takeBack(): void | Promise<void>;
}

export interface ExternalEditing extends EditorWish {
  screen: ScreenPort;
  /** Starts it and waits; rejects with the reason. */
  start?: (editor: EditorStart, file: string) => Promise<void>;
  /** Tells what the file is: `.md` for prompts. */
  fileName?: string;
}

export type Edited = { kind: 'text'; text: string } | { kind: 'problem'; message: string };

/** Never rejects; the file is removed, the screen comes back. */
export async function editText(text: string, editing: ExternalEditing): Promise<Edited> {
  const editor = editorCommand(editing);
  if (!editor) {
    return {
      kind: 'problem',
      message: 'No editor was found: choose one with /editor or set VISUAL or EDITOR.',
    };
  }
  const directory = mkdtempSync(join(tmpdir(), 'gemini-edit-'));
  const file = join(directory, editing.fileName ?? 'prompt.md');
  const { start = startEditor } = editing;
  try {
    writeFileSync(file, text, { mode: 0o600 });
    if (editor.isTerminal) await editing.screen.giveAway();
    try {
      await start(editor, file);
    } finally {
      if (editor.isTerminal) await editing.screen.takeBack();
    }
    return { kind: 'text', text: withoutLastLineEnd(readFileSync(file, 'utf8')) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'problem', message: `The editor ${editor.name} could not be used: ${reason}` };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Editors end a file with a line end; as many as the user wrote beyond that stay. */
function withoutLastLineEnd(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/^\ufeff/, '')
    .replace(/\n$/, '');
}

function startEditor({ file, args, isTerminal }: EditorStart, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options: SpawnOptions = { stdio: isTerminal ? 'inherit' : 'ignore' };
    // Editors of the VS Code family are scripts there, which only the shell starts.
    const isScript = process.platform === 'win32' && /\.(cmd|bat)$/i.test(file);
    const child = isScript
      ? spawn([file, ...args, path].map((word) => `"${word}"`).join(' '), [], { ...options, shell: true })
      : spawn(file, [...args, path], options);
    child.once('error', reject);
    child.once('exit', (code, ended) => {
      if (code === 0) resolve();
      else reject(new Error(ended ? `it was ended by ${ended}` : `it ended with exit code ${code}`));
    });
  });
}
