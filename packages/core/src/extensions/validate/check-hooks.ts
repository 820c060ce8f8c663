/** Hooks: the file as the engine reads it, matchers, and scripts of the extension that do not exist. */

import { whyNotMatched } from '../../hooks/inspect/check-matcher.js';
import { hooksFromExtension } from '../../hooks/sources/extension-files.js';
import { isInside } from '../../platform/files/real-path.js';
import { tryStat } from '../../platform/files/try-read.js';
import { carriedFiles } from '../load/carried-files.js';
import { pathVariables } from '../manifest/variables.js';
import type { CheckedExtension } from './checked-extension.js';

export async function checkHooks({ dir, manifest, add }: CheckedExtension): Promise<void> {
  const variables = pathVariables({ extensionPath: dir, workspacePath: dir });
  const { definitions, problems = [] } = await hooksFromExtension({ dir, name: manifest.name, variables });
  const file = carriedFiles(dir, manifest).hooks;
  const about = file === undefined ? {} : { file };
  const prefix = `Extension ${manifest.name}: `;
  for (const { message, file: where, line } of problems)
    add({
      level: 'warning',
      message: message.startsWith(prefix) ? message.slice(prefix.length) : message,
      ...(where === undefined ? about : { file: where }),
      ...(line !== undefined && { line }),
    });
  for (const { eventName, matcher, hooks } of definitions) {
    const why = whyNotMatched(eventName, matcher);
    if (why) add({ level: 'warning', message: `${eventName}: ${why}.`, ...about });
    for (const hook of hooks)
      for (const path of hook.type === 'command' ? missingFiles(hook.command, dir) : [])
        add({
          level: 'warning',
          kind: 'missing-file',
          message: `${eventName}: the hook names ${path}, which does not exist.`,
          ...about,
        });
  }
}

/** Words of the command that begin with the extension's path. */
function missingFiles(command: string, dir: string): string[] {
  const words = command.match(/"[^"]*"|'[^']*'|[^\s"';|&<>()]+/g) ?? [];
  return words
    .map((word) => word.replace(/^["']|["']$/g, ''))
    .filter(
      (word) =>
        word !== dir && isInside(word, dir) && !/[$*?`]/.test(word.slice(dir.length)) && !tryStat(word),
    );
}
