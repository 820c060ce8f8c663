/** Turns an "always" answer into a rule that is never broader than what the user was shown. */
import {
  ApprovalMode,
  PolicyDecision,
  type PolicyUpdateOptions,
  type UpdatePolicy,
} from '../../protocol/confirmation.js';
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
} from '../../protocol/tool-names.js';
import { ALWAYS_PRIORITY, type PolicyRule, type PolicyTier, priorityOf } from '../rules/rule.js';
import { compileRegex } from '../rules/safe-regex.js';
import type { ParsedCommand, SimpleCommand } from '../shell/types.js';

/** An answer for one of these tools is always narrowed to a command, file or folder. */
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

export interface CommandContext {
  /** `PATH`, by which programs are found. */
  searchPath?: string | undefined;
  /** Real path of the folder the command runs in. */
  directory?: string;
}

/**
 * How an "always" for this command is narrowed: to the programs by name, or, where the rest of the line decides what is
 * run or written, to exactly this line in this folder. Undefined: the line cannot be parsed, so it asks each time.
 */
export async function narrowCommand(
  command: string,
  { searchPath, directory }: CommandContext = {},
): Promise<PolicyUpdateOptions | undefined> {
  const { parseCommand } = await import('../shell/parse.js');
  const parsed = await parseCommand(command, searchPath);
  if (!parsed) return undefined;
  const prefixes = await prefixesOf(parsed);
  if (prefixes) return { commandPrefix: prefixes };
  return { commandExact: command.trim(), ...(directory !== undefined && { path: directory }) };
}

/** Undefined: the line has parts that a program name alone does not describe. */
async function prefixesOf({
  commands,
  assignments,
  expressions,
}: ParsedCommand): Promise<string[] | undefined> {
  const { dangerIn } = await import('../shell/dangerous.js');
  const { familyOf } = await import('../shell/family.js');
  const { isHarmlessAssignment } = await import('../shell/variables/assignments.js');
  const isPlain = (part: SimpleCommand): boolean =>
    !part.dynamic &&
    !part.transparent &&
    !part.openArguments &&
    part.via.length === 0 &&
    part.alternatives.length === 0 &&
    part.assignments.every(isHarmlessAssignment) &&
    part.redirections.every(({ target }) => target?.literal && target.text === '/dev/null') &&
    dangerIn(part) === undefined;
  if (commands.length === 0 || expressions.length > 0 || !assignments.every(isHarmlessAssignment))
    return undefined;
  const families = commands.map((part) => (isPlain(part) ? familyOf(part.words) : undefined));
  const named = families.filter((family) => family !== undefined);
  return named.length === families.length ? [...new Set(named)] : undefined;
}

const BY_PERMISSIVENESS = [
  ApprovalMode.PLAN,
  ApprovalMode.DEFAULT,
  ApprovalMode.AUTO_EDIT,
  ApprovalMode.YOLO,
];

/** The mode the user answered in, and all more permissive ones. */
function modesFrom(mode: ApprovalMode): ApprovalMode[] {
  return BY_PERMISSIVENESS.slice(BY_PERMISSIVENESS.indexOf(mode));
}

/** Undefined: the rule would allow too much. */
export function alwaysRule(
  update: UpdatePolicy,
  mode: ApprovalMode,
  tier: PolicyTier,
): PolicyRule | undefined {
  // A server's own name for its tool is not one of ours.
  const isOfServer = update.mcpName !== undefined;
  const toolName = isOfServer ? update.toolName : canonicalToolName(update.toolName);
  const prefixes = [update.commandPrefix ?? []].flat().map((prefix) => prefix.trim());
  const { commandExact, argsPattern, path, folder } = update;
  const isNarrowed = prefixes.length > 0 || [commandExact, argsPattern, path, folder].some(Boolean);
  if (!isNarrowed && !isOfServer && (NARROW_ONLY.has(toolName) || toolName === '*')) return undefined;
  if (prefixes.some((prefix) => prefix === '') || commandExact === '') return undefined;
  const isAboutCommands = prefixes.length > 0 || commandExact !== undefined;
  const isShell = !isOfServer && toolName === RUN_SHELL_COMMAND;
  if (isAboutCommands && !isShell) return undefined;
  // A folder alone would allow every command in it.
  if (isShell && !isAboutCommands && argsPattern === undefined) return undefined;
  return {
    toolNames: [ownName(toolName, update.mcpName)],
    mcpName: update.mcpName,
    subagent: update.subagent,
    commandPrefixes: prefixes.length > 0 ? prefixes : undefined,
    commandExact,
    path,
    folder,
    argsPattern: argsPattern === undefined ? undefined : compileRegex(argsPattern),
    decision: PolicyDecision.ALLOW,
    tier,
    priority: priorityOf(tier, ALWAYS_PRIORITY),
    modes: update.modes ?? modesFrom(mode),
    allowRedirection: update.allowRedirection,
    isAnswer: true,
    source: 'Your answer "always"',
  };
}

function ownName(toolName: string, mcpName: string | undefined): string {
  const head = `mcp_${mcpName}_`;
  return mcpName !== undefined && toolName.startsWith(head) ? toolName.slice(head.length) : toolName;
}
