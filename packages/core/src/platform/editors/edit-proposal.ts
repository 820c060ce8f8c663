/** Lets the user change a proposed edit in an editor, through two private files, and reads the result. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { readFileBytes } from '../files/safe-read.js';
import type { EditorCommand, StartsEditor } from './editors.js';

export interface Proposal {
  filePath: string;
  /** Null: the file does not exist yet. */
  originalContent: string | null;
  newContent: string;
}

/** Resolves with the content that the user saved. Rejects with a message for the user. */
export type EditProposal = (proposal: Proposal, signal: AbortSignal) => Promise<string>;

/** Runs the editor until the user closes it. A front end clears the screen for editors in the terminal. */
export type OpenEditor = (command: EditorCommand, signal: AbortSignal) => Promise<void>;

export interface ProposalEditorOptions {
  start: StartsEditor;
  open: OpenEditor;
  now: () => number;
  /** Parent directory of the private files. */
  temporary: string;
}

export function proposalEditor({ start, open, now, temporary }: ProposalEditorOptions): EditProposal {
  return async (proposal, signal) => {
    const directory = mkdtempSync(join(temporary, 'gemini-cli-tool-modify-'));
    try {
      const files = {
        before: writePrivate(
          directory,
          nameFor(proposal.filePath, 'old', now()),
          proposal.originalContent ?? '',
        ),
        after: writePrivate(directory, nameFor(proposal.filePath, 'new', now()), proposal.newContent),
      };
      const command = start(files);
      try {
        await open(command, signal);
      } catch (error) {
        throw new Error(`The editor ${command.name} failed: ${messageOf(error)}`, { cause: error });
      }
      signal.throwIfAborted();
      return readBack(files.after);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  };
}

/** Keeps the extension of the file, so that the editor knows the language. */
function nameFor(filePath: string, version: 'old' | 'new', now: number): string {
  const extension = plain(extname(filePath));
  const name = plain(basename(filePath, extname(filePath))).slice(0, 60);
  return `gemini-cli-modify-${name}-${version}-${now}${extension.slice(0, 20)}`;
}

/** The name is an argument of the editor, which could interpret special characters. */
function plain(text: string): string {
  return text.replace(/[^\w.-]/g, '_');
}

function writePrivate(directory: string, name: string, text: string): string {
  const path = join(directory, name);
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
  return path;
}

function readBack(path: string): string {
  const { bytes } = readFileBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error('The editor saved the file in another encoding than UTF-8.', { cause: error });
  }
}
