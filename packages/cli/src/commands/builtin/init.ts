/** `/init`: creates an empty context file and asks the model to fill it. */
import { basename } from 'node:path';
import { FileError, type FileSystemService } from '@gemini-cli/core';
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
  return { type: 'submit_prompt', content: promptFor(basename(target)) };
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

function promptFor(name: string): string {
  return `Write the file ${name} in the project root. It is read at the beginning of every later conversation here, so it must tell a newcomer what matters and nothing else.

Look around first: the README, the build and package files, the folder structure, then about ten files that show how the code is written. Read more when these do not answer your questions.

Then write ${name} in Markdown:
- what the project is and does, in a few sentences;
- how it is built, run, tested and checked: the exact commands, found in the files, not guessed; where something is unknown, say so;
- how it is laid out: the main folders and what belongs where;
- conventions that can be seen in the code (naming, style, tests, error handling), each with an example;
- for a folder that holds no code: what the documents are about and how they are used.

Keep it under 150 lines. Do not repeat what any developer knows.`;
}
