/** `/init`: creates an empty context file and asks the model to fill it. */
import { basename } from 'node:path';
import { FileError, type FileSystemService, loadInitPrompt } from '@gemini-cli/core';
import { type Action, failure, info } from './define.js';
import { engineOf } from './needs.js';

export const init: Action = async (context) => {
  const config = engineOf(context);
  const target = config.getMemory().fileFor('project');
  const files = config.getFileSystemService();
  if (await exists(files, target)) return info(`${target} exists already; nothing was changed.`);
  const refusal = config.validatePathAccess(target, 'write');
  if (refusal !== null) return failure(refusal);
  await files.writeTextFile(target, '', undefined, { expect: 'absent' });
  context.ui.addItem({ type: 'info', text: `Created ${target}. The model is filling it now.` });
  const { initPrompt } = await loadInitPrompt();
  return { type: 'submit_prompt', content: initPrompt(basename(target)) };
};

async function exists(files: FileSystemService, path: string): Promise<boolean> {
  try {
    await files.inspect(path);
    return true;
  } catch (error) {
    if (error instanceof FileError) return error.problem !== 'missing';
    throw error;
  }
}
