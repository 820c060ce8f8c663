/** Text of a Claude Code agent, skill or command with the names used here. Code blocks keep everything but paths. */
import { fencedBlocks } from '../../../base/markdown-fences.js';
import { CLAUDE_TOOL_NAMES } from '../../../protocol/claude-tool-names.js';

/** What a text of a plugin may refer to. */
export interface PluginText {
  /** `/<plugin>:<command>`: what it is called here, without the slash. */
  commandName?: (plugin: string, command: string) => string | undefined;
  /** A tool of an MCP server, `mcp__server__tool`: what it is called here. */
  toolName?: (name: string) => string | undefined;
  /** The path here of a file below `${CLAUDE_PLUGIN_ROOT}`; `rest` is empty or begins with a slash. */
  pluginPath?: (rest: string) => string;
  /** The path here of one that begins with `../`; undefined: it stays as it is. */
  relativePath?: (path: string) => string | undefined;
  /** True: a path to a CLAUDE.md that comes with the plugin, which keeps its name. */
  isOwnFile?: (path: string) => boolean;
}

export function transformBody(body: string, plugin: PluginText = {}): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of fencedBlocks(body)) {
    pieces.push(
      transformProse(body.slice(at, start), plugin),
      transformPaths(body.slice(start, end), plugin),
    );
    at = end;
  }
  return [...pieces, transformProse(body.slice(at), plugin)].join('');
}

function transformProse(text: string, plugin: PluginText): string {
  return transformPaths(text, plugin)
    .replace(
      /^([ \t]*(?:(?:[-*]|\d+[.)]) )?)Task ([\w:-]+)\(([^)\n]*)\)/gm,
      (_whole, before: string, agent, task) => `${before}@${lastPart(agent)} ${task}`.trimEnd(),
    )
    .replace(
      /^([ \t]*(?:(?:[-*]|\d+[.)]) )?)Task\(([\w:-]+)\): ?/gm,
      (_whole, before: string, agent: string) => `${before}@${lastPart(agent)} `,
    )
    .replace(/@agent-([\w:-]*\w)/g, (_whole, agent: string) => `@${lastPart(agent)}`)
    .replace(/(?<![\w/.:])\/([\w.-]+):([\w:.-]*\w)/g, (whole, name: string, command: string) => {
      const here = plugin.commandName?.(name, command);
      return here === undefined ? whole : `/${here}`;
    })
    .replace(
      // Only from the start of a path: from each of its parts the time would grow with the square of its length.
      /(?<![\w./@${}~-])(~\/\.claude\/)?(@?\/?(?:[\w.@${}~-]+\/)*)CLAUDE\.md\b/g,
      (whole, home: string | undefined, folders: string) => {
        if (
          plugin.isOwnFile?.(`${folders.replace(/^@/, '')}CLAUDE.md`) ||
          (!home && folders.endsWith('.claude/'))
        )
          return whole;
        return `${home ? '~/.gemini/' : ''}${folders}GEMINI.md`;
      },
    )
    .replace(/(?<![\w-])mcp__[\w-]*\w/g, (name) => plugin.toolName?.(name) ?? name)
    .replace(/`(\w+)`/g, (whole, name: string) => {
      const here = Object.hasOwn(CLAUDE_TOOL_NAMES, name) ? CLAUDE_TOOL_NAMES[name] : undefined;
      return here ? `\`${here}\`` : whole;
    });
}

/** `plugin:folder:agent`: an agent has one name here. */
function lastPart(name: string): string {
  return name.split(':').at(-1) ?? name;
}

const PLUGIN_ROOT =
  /\$(?:\{CLAUDE_PLUGIN_ROOT(?:[:%#/^,][^{}]*)?\}|CLAUDE_PLUGIN_ROOT\b)((?:\/[\w.@+-]+)*\/?)/g;

const UPWARDS = /(?<![\w./$}~-])(?:\.\/)?(?:\.\.\/)+(?:[\w@+-][\w.@+-]*\/)*(?:[\w@+-][\w.@+-]*)?(?<!\.)/g;

/** Only of files that this program reads, too. */
function transformPaths(text: string, { pluginPath, relativePath }: PluginText): string {
  const moved = text.replace(
    /(^|[^\w.])\.claude\/(settings\.json|skills|agents|commands)\b/gm,
    '$1.gemini/$2',
  );
  const related = relativePath ? moved.replace(UPWARDS, (path) => relativePath(path) ?? path) : moved;
  return pluginPath ? related.replace(PLUGIN_ROOT, (_whole, rest: string) => pluginPath(rest)) : related;
}
