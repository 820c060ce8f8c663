/** Text of a Claude Code agent with the names used here. Code blocks keep everything but paths of this program's files. */
import { fencedBlocks } from '../../../base/markdown-fences.js';
import { CLAUDE_TOOL_NAMES } from '../../../protocol/claude-tool-names.js';

export function transformBody(body: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of fencedBlocks(body)) {
    pieces.push(transformProse(body.slice(at, start)), transformPaths(body.slice(start, end)));
    at = end;
  }
  return [...pieces, transformProse(body.slice(at))].join('');
}

function transformProse(text: string): string {
  return transformPaths(text)
    .replace(/^([ \t]*(?:[-*] )?)Task ([\w-]+)\(([^)\n]*)\)/gm, '$1@$2 $3')
    .replace(/^([ \t]*(?:[-*] )?)Task\(([\w-]+)\): ?/gm, '$1@$2 ')
    .replace(/@agent-([\w-]+)/g, '@$1')
    .replace(/\bCLAUDE\.md\b/g, 'GEMINI.md')
    .replace(/`(\w+)`/g, (whole, name: string) => {
      const here = Object.hasOwn(CLAUDE_TOOL_NAMES, name) ? CLAUDE_TOOL_NAMES[name] : undefined;
      return here ? `\`${here}\`` : whole;
    });
}

/** Only of files that this program reads, too. */
function transformPaths(text: string): string {
  return text.replace(/(^|[^\w.])\.claude\/(settings\.json|skills|agents|commands)\b/gm, '$1.gemini/$2');
}
