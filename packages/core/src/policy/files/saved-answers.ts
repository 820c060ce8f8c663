/**
 * The format of "always" answers in `auto-saved.toml`. Conditions are written as patterns that any reader of policy
 * files understands, so no program allows more than the user did; `readAnswer` turns them back into exact conditions.
 */
import { isAbsolute, resolve, sep } from 'node:path';
import { realPathOf } from '../../platform/files/real-path.js';
import { PolicyDecision } from '../../protocol/confirmation.js';
import { LIST_DIRECTORY, READ_FILE, REPLACE, WRITE_FILE } from '../../protocol/tool-names.js';
import { ALWAYS_PRIORITY, isAlwaysRule, type PolicyRule } from '../rules/rule.js';

export const ANSWERS_FILE = 'auto-saved.toml';

export type SavedRule = Record<string, unknown>;

/** The argument that names the file or folder of a call. */
const PATH_ARGUMENTS: Readonly<Record<string, string>> = {
  [READ_FILE]: 'file_path',
  [WRITE_FILE]: 'file_path',
  [REPLACE]: 'file_path',
  [LIST_DIRECTORY]: 'dir_path',
};

export function savedForm(rule: PolicyRule): SavedRule {
  const [toolName = ''] = rule.toolNames ?? [];
  const argument = PATH_ARGUMENTS[toolName];
  const isFile = rule.path !== undefined && argument !== undefined;
  return withoutUndefined({
    toolName,
    mcpName: rule.mcpName,
    subagent: rule.subagent,
    commandPrefix: rule.commandPrefixes && [...rule.commandPrefixes],
    commandRegex: rule.commandExact === undefined ? undefined : `${escapeRegExp(rule.commandExact)}$`,
    argsPattern: isFile
      ? exactArgument(argument, rule.path)
      : (inFolder(rule.folder) ?? rule.argsPattern?.source),
    path: isFile ? undefined : rule.path,
    folder: rule.folder,
    project: rule.project,
    decision: 'allow',
    priority: ALWAYS_PRIORITY,
    allowRedirection: rule.allowRedirection || undefined,
    modes: rule.modes && [...rule.modes],
  });
}

/**
 * The rule as the user answered. Undefined: an older version saved a path without its project; the rule would hold
 * for the file of that name in every project.
 * @param projectDir of the project whose file it is; absent: the user's own file
 */
export function readAnswer(rule: PolicyRule, projectDir: string | undefined): PolicyRule | undefined {
  if (rule.decision !== PolicyDecision.ALLOW || !isAlwaysRule(rule)) return rule;
  const answer: PolicyRule = { ...rule, isAnswer: true };
  const exact = literalOf(rule.commandRegex, '^(?:', '$)');
  if (exact !== undefined) return { ...answer, commandRegex: undefined, commandExact: exact };
  // Its pattern is for programs that do not know `folder`.
  if (rule.folder !== undefined) return { ...answer, argsPattern: undefined };
  const written = pathIn(rule);
  if (written === undefined) return answer;
  if (!isAbsolute(written) && projectDir === undefined) return undefined;
  const path = isAbsolute(written) ? written : realPathOf(resolve(projectDir ?? '', written));
  return { ...answer, argsPattern: undefined, path };
}

function pathIn({ toolNames = [], argsPattern }: PolicyRule): string | undefined {
  const argument = toolNames.length === 1 ? PATH_ARGUMENTS[toolNames[0] ?? ''] : undefined;
  const json = literalOf(argsPattern, '\\x00', '\\x00');
  const head = `"${argument}":`;
  if (argument === undefined || !json?.startsWith(head)) return undefined;
  try {
    const value: unknown = JSON.parse(json.slice(head.length));
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The one text that a pattern stands for, if there is only one. */
function literalOf(pattern: RegExp | undefined, start: string, end: string): string | undefined {
  const source = pattern?.source;
  if (!source?.startsWith(start) || !source.endsWith(end)) return undefined;
  const body = source.slice(start.length, source.length - end.length);
  const text = body.replace(/\\(n|r|u2028|u2029|[^\w])/g, (_whole, code: string) => LINE_ENDS[code] ?? code);
  return escapeRegExp(text) === body ? text : undefined;
}

/** Matches absolute paths in the folder, without `..`. */
function inFolder(folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const start = `"file_path":${JSON.stringify(`${folder}${sep}`).slice(0, -1)}`;
  return `\\x00${escapeRegExp(start)}(?:(?!\\.\\.)[^"])*"\\x00`;
}

/** The NUL anchors keep the text of another argument from matching. */
function exactArgument(key: string, value: unknown): string {
  return `\\x00${escapeRegExp(`${JSON.stringify(key)}:${JSON.stringify(value)}`)}\\x00`;
}

const LINE_ENDS: Readonly<Record<string, string>> = { n: '\n', r: '\r', u2028: '\u2028', u2029: '\u2029' };

/** The same text that `RegExp.source` returns, which writes line ends as escapes. */
function escapeRegExp(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

export function withoutUndefined(rule: SavedRule): SavedRule {
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined));
}
