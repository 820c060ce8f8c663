/** "Always" answers: the rule they make, never broader than what the user was shown. */
import {
  ApprovalMode,
  PolicyDecision,
  type PolicyUpdateOptions,
  type UpdatePolicy,
} from '../protocol/confirmation.js';
import {
  canonicalToolName,
  GLOB,
  GREP_SEARCH,
  LIST_DIRECTORY,
  READ_FILE,
  READ_MANY_FILES,
  REPLACE,
  RUN_SHELL_COMMAND,
  SEND_PROCESS_INPUT,
  WRITE_FILE,
} from '../protocol/tool-names.js';
import { ALWAYS_PRIORITY, type PolicyRule, type PolicyTier, priorityOf } from './rule.js';
import { compileRegex } from './safe-regex.js';

/** These never get a rule for all their calls. */
const NARROW_ONLY = new Set<string>([
  GLOB,
  GREP_SEARCH,
  READ_MANY_FILES,
  READ_FILE,
  LIST_DIRECTORY,
  WRITE_FILE,
  REPLACE,
  RUN_SHELL_COMMAND,
  SEND_PROCESS_INPUT,
]);

/** The arguments that make two calls the same for the user. */
const TELLING_ARGUMENTS: Record<string, readonly string[]> = {
  [READ_FILE]: ['file_path'],
  [WRITE_FILE]: ['file_path'],
  [REPLACE]: ['file_path'],
  [LIST_DIRECTORY]: ['dir_path'],
  [GLOB]: ['pattern'],
  [GREP_SEARCH]: ['pattern'],
  [READ_MANY_FILES]: ['include'],
  [SEND_PROCESS_INPUT]: ['pid'],
};

/** How an "always" for this call is narrowed. Undefined: the whole tool. */
export async function narrowAlways(
  toolName: string,
  args: Readonly<Record<string, unknown>>,
  path?: string,
): Promise<PolicyUpdateOptions | undefined> {
  const name = canonicalToolName(toolName);
  if (name === RUN_SHELL_COMMAND) return narrowCommand(String(args['command'] ?? ''), path);
  const keys = TELLING_ARGUMENTS[name];
  const key = keys?.find((item) => args[item] !== undefined);
  return key === undefined ? undefined : { argsPattern: exactArgument(key, args[key]) };
}

/** Anchored: the text of another argument cannot look like it. */
function exactArgument(key: string, value: unknown): string {
  return `\\x00${escapeRegExp(`${JSON.stringify(key)}:${JSON.stringify(value)}`)}\\x00`;
}

async function narrowCommand(command: string, path: string | undefined): Promise<PolicyUpdateOptions> {
  const { parseCommand } = await import('./shell/parse.js');
  const { dangerIn } = await import('./shell/dangerous.js');
  const { runsOthers } = await import('./shell/programs.js');
  const parsed = await parseCommand(command, path);
  const whole = { commandPrefix: command.trim() };
  if (!parsed || parsed.commands.some(({ dynamic }) => dynamic)) return whole;
  const started = parsed.commands.filter(({ words, transparent }) => words.length > 0 && !transparent);
  const prefixes = started.map((part) => {
    const isBroad = runsOthers(part.name) || dangerIn(part) !== undefined || part.via.length > 0;
    return isBroad ? part.text : part.name;
  });
  if (prefixes.length === 0) return whole;
  const usesRedirection = parsed.commands.some(({ redirections }) => redirections.length > 0);
  return { commandPrefix: [...new Set(prefixes)], ...(usesRedirection && { allowRedirection: true }) };
}

const BY_PERMISSIVENESS = [
  ApprovalMode.PLAN,
  ApprovalMode.DEFAULT,
  ApprovalMode.AUTO_EDIT,
  ApprovalMode.YOLO,
];

/** The mode of the answer and all that allow more. */
function modesFrom(mode: ApprovalMode): ApprovalMode[] {
  return BY_PERMISSIVENESS.slice(BY_PERMISSIVENESS.indexOf(mode));
}

/** Undefined when the answer would allow too much. */
export function alwaysRule(
  update: UpdatePolicy,
  mode: ApprovalMode,
  tier: PolicyTier,
): PolicyRule | undefined {
  const toolName = canonicalToolName(update.toolName);
  const prefixes = [update.commandPrefix ?? []].flat().map((prefix) => prefix.trim());
  const isNarrowed = prefixes.length > 0 || update.argsPattern !== undefined;
  if (!isNarrowed && (NARROW_ONLY.has(toolName) || toolName === '*')) return undefined;
  if (prefixes.some((prefix) => prefix === '')) return undefined;
  if (prefixes.length > 0 && toolName !== RUN_SHELL_COMMAND) return undefined;
  return {
    toolNames: [ownName(toolName, update.mcpName)],
    mcpName: update.mcpName,
    commandPrefixes: prefixes.length > 0 ? prefixes : undefined,
    argsPattern: update.argsPattern === undefined ? undefined : compileRegex(update.argsPattern),
    decision: PolicyDecision.ALLOW,
    tier,
    priority: priorityOf(tier, ALWAYS_PRIORITY),
    modes: update.modes ?? modesFrom(mode),
    allowRedirection: update.allowRedirection,
    source: 'Your answer "always"',
  };
}

function ownName(toolName: string, mcpName: string | undefined): string {
  const head = `mcp_${mcpName}_`;
  return mcpName !== undefined && toolName.startsWith(head) ? toolName.slice(head.length) : toolName;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
