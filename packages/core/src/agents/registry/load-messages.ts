/** What the user is told after agent files were read. */
import type { LoadedFolder } from '../definition/load-folder.js';
import { problemText } from '../definition/parse-agent-file.js';

/** A folder full of files of another program must not fill the screen. */
const SHOWN = 3;

export function loadMessages(loaded: readonly LoadedFolder[]): string[] {
  return loaded.flatMap((folder) => [...problemMessages(folder), ...folder.warnings]);
}

function problemMessages({ folder, problems }: LoadedFolder): string[] {
  const converted = folder.kind === 'extension' ? problems.filter((problem) => problem.isClaudeFormat) : [];
  const others = problems.filter((problem) => !converted.includes(problem));
  const messages = others.slice(0, SHOWN).map(problemText);
  const more = others.length - SHOWN;
  if (more > 0) {
    messages.push(
      `${more} more agent file${more === 1 ? '' : 's'} in ${folder.dir} failed to load. To list all mistakes: gemini agents validate`,
    );
  }
  return converted.length > 0
    ? [...messages, inClaudeFormat(converted.length, folder.extensionName)]
    : messages;
}

function inClaudeFormat(count: number, extension = ''): string {
  const files = count === 1 ? '1 agent file is' : `${count} agent files are`;
  return `Extension ${extension}: ${files} in Claude Code's format; gemini extensions import converts them.`;
}
