/** What the verbs of `gemini extensions` work on: the folder, its settings, the installed extensions. */
import { type GeminiCLIExtension, globalGeminiDir, type ProjectFolder, readFolder } from '@gemini-cli/core';
import { notice } from '../../output/output.js';
import { currentDirectory } from '../current-directory.js';
import type { SubcommandIo } from '../subcommand.js';

export interface OpenedExtensions {
  folder: ProjectFolder;
  /** `~/.gemini`. */
  globalDir: string;
  extensions: readonly GeminiCLIExtension[];
  /** Keep it when the answer is written. */
  memory?: { keep(): void };
}

/** The folder alone: a command about one extension says nothing of the others. */
export async function openFolder(io: SubcommandIo): Promise<ProjectFolder> {
  return readFolder({
    cwd: currentDirectory(),
    env: io.env,
    notice: (message) => notice(io, 'WARNING', message),
    tellsInactive: true,
  });
}

/** Problems go to stderr; the extensions that can be read are returned. */
export async function openExtensions(io: SubcommandIo): Promise<OpenedExtensions> {
  const folder = await openFolder(io);
  const { extensions, extensionMemory: memory } = await folder.extensions();
  return {
    folder,
    globalDir: globalGeminiDir(folder.environment.variables),
    extensions,
    ...(memory && { memory }),
  };
}
