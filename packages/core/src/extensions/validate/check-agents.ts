/** Agents: every file that has a header, and files in folders that are never read. */
import { join } from 'node:path';
import { checkAgentFiles } from '../../agents/definition/check-files.js';
import { issueText } from '../../agents/definition/issue.js';
import { entriesIn } from '../../platform/files/try-read.js';
import type { CheckedExtension } from './checked-extension.js';

const DEEPEST = 8;

export async function checkAgents({ dir, add }: CheckedExtension): Promise<void> {
  const folder = join(dir, 'agents');
  const claude: string[] = [];
  for (const { file, problem, warnings } of await checkAgentFiles(folder, dir)) {
    for (const message of warnings)
      add({ level: 'warning', message: message.replace(`${file}: i`, 'I'), file });
    if (!problem?.hasHeader) continue;
    if (problem.isClaudeFormat) claude.push(file);
    else
      for (const issue of problem.issues)
        add({
          level: 'warning',
          message: `${issueText(issue)}. ${issue.cure}`.replace(/\.\.(?= |$)/, '.'),
          file,
        });
  }
  if (claude.length > 0) {
    const files = claude.length === 1 ? '1 agent file is' : `${claude.length} agent files are`;
    const message = `${files} in Claude Code's format; gemini extensions import converts ${claude.length === 1 ? 'it' : 'them'}.`;
    add({ level: 'warning', message, file: claude[0] ?? folder });
  }
  for (const file of nestedFiles(folder))
    add({
      level: 'warning',
      message: 'This agent is never loaded: move the file directly into agents/.',
      file,
    });
}

function nestedFiles(folder: string, depth = 0): string[] {
  if (depth > DEEPEST) return [];
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return nestedFiles(path, depth + 1);
    const isAgent = depth > 0 && entry.name.endsWith('.md') && !/^(?:_|readme\.md$)/i.test(entry.name);
    return isAgent ? [path] : [];
  });
}
