/** Validates one `[[rule]]` or `[[safety_checker]]` table of a policy file and compiles it for the engine. */
import { isAbsolute } from 'node:path';
import { messageOf, UserError } from '../../base/errors.js';
import { nearestNames } from '../../base/nearest.js';
import { isObject } from '../../base/objects.js';
import { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';
import { canonicalToolName, REPLACE, RUN_SHELL_COMMAND, WRITE_FILE } from '../../protocol/tool-names.js';
import { toolsInDefaultRules } from '../default-rules.js';
import { restrictedPrefixes } from './restricted-prefixes.js';
import {
  type CheckerSpec,
  type PolicyProblemKind,
  type PolicyRule,
  type PolicyTier,
  priorityOf,
  type RuleConditions,
  type SafetyChecker,
} from './rule.js';
import { compileRegex } from './safe-regex.js';

export type Table = Readonly<Record<string, unknown>>;

export interface CompileContext {
  tier: PolicyTier;
  source: string;
  /** Names of the built-in tools, besides those in the built-in policy. */
  toolNames?: readonly string[];
  /** @param missesTool the tool that was meant is not restricted */
  warn: (message: string, kind?: PolicyProblemKind, missesTool?: boolean) => void;
}

/** The message is for the user; the rule is not in force. */
export class RuleError extends UserError {
  constructor(
    readonly kind: PolicyProblemKind,
    message: string,
  ) {
    super(message);
  }
}

const DECISIONS: Record<string, PolicyDecision> = {
  allow: PolicyDecision.ALLOW,
  deny: PolicyDecision.DENY,
  ask_user: PolicyDecision.ASK_USER,
  confirm: PolicyDecision.ASK_USER,
  confirmation_required: PolicyDecision.ASK_USER,
};
const MODES: Record<string, ApprovalMode> = {
  default: ApprovalMode.DEFAULT,
  autoEdit: ApprovalMode.AUTO_EDIT,
  auto_edit: ApprovalMode.AUTO_EDIT,
  yolo: ApprovalMode.YOLO,
  plan: ApprovalMode.PLAN,
};
/** Of rules in the form with `type` instead of `decision`, which may omit the priority. */
const LEGACY_PRIORITY = 100;
const RULE_KEYS = new Set(
  `toolName mcpName subagent argsPattern commandPrefix commandRegex toolAnnotations decision priority modes
  interactive path folder project allowRedirection allow_redirection denyMessage deny_message name id description safety_checker type
  command_pattern condition action message`.split(/\s+/),
);
/** Lists in a checker's configuration; validated, because an error here would narrow what is checked. */
const LISTS = ['included_args', 'excluded_args', 'allowed_paths'];
const CONDITION_KEYS = new Set(['command_pattern']);

/** @throws RuleError */
export function compileRule(table: Table, context: CompileContext): PolicyRule {
  const action = tableAt(table, 'action') ?? {};
  const condition = tableAt(table, 'condition') ?? {};
  const legacyType = textAt(table, 'type') ?? textAt(action, 'type');
  const wanted = textAt(table, 'decision') ?? legacyType;
  const decision = wanted !== undefined && Object.hasOwn(DECISIONS, wanted) ? DECISIONS[wanted] : undefined;
  if (!decision)
    throw new RuleError(
      'schema_validation',
      `"decision" must be allow, deny or ask_user${wanted === undefined ? '' : `, not "${wanted}"`}.`,
    );
  refuseUnknown(table, condition, decision, context);
  const isLegacyForm = textAt(table, 'decision') === undefined;
  const pattern = textAt(table, 'command_pattern') ?? textAt(condition, 'command_pattern');
  const conditions = compileConditions(table, pattern, context);
  if (!conditions.toolNames && conditions.mcpName === undefined) {
    throw new RuleError('schema_validation', '"toolName" is missing; name a tool, or "*" for all.');
  }
  const priority = numberAt(table, 'priority') ?? (isLegacyForm ? LEGACY_PRIORITY : undefined);
  if (priority === undefined || !Number.isInteger(priority) || priority < 0 || priority > 999) {
    throw new RuleError('schema_validation', '"priority" must be a whole number from 0 to 999.');
  }
  const checker = table['safety_checker'];
  const checkers = isTable(checker)
    ? [compileChecker({ ...checker, toolName: '*', checker: checker['checker'] ?? checker }, context)]
    : undefined;
  const { commandPrefixes } = conditions;
  const isRestriction = decision !== PolicyDecision.ALLOW;
  // Protected files are not in the folder for such a rule, so a restriction would miss them.
  if (isRestriction && conditions.folder !== undefined)
    throw new RuleError('rule_validation', '"folder" is possible only with decision = "allow".');
  return {
    ...conditions,
    ...(commandPrefixes && isRestriction && { commandPrefixes: restrictedPrefixes(commandPrefixes) }),
    // An empty condition is ignored in a restriction; in an allow rule that would allow more.
    ...(isRestriction && { path: conditions.path || undefined, subagent: conditions.subagent || undefined }),
    decision,
    tier: context.tier,
    priority: priorityOf(context.tier, priority),
    allowRedirection: booleanAt(table, 'allowRedirection') ?? booleanAt(table, 'allow_redirection'),
    project: textAt(table, 'project') || undefined,
    denyMessage: textAt(table, 'denyMessage') ?? textAt(table, 'deny_message') ?? textAt(action, 'message'),
    name: textAt(table, 'name') ?? textAt(table, 'id'),
    source: context.source,
    checkers,
  };
}

/** Ignoring an unknown condition of an allow rule would allow more than was meant. */
function refuseUnknown(
  table: Table,
  condition: Table,
  decision: PolicyDecision,
  { warn }: CompileContext,
): void {
  const unknown = [
    ...Object.keys(table).filter((key) => !RULE_KEYS.has(key)),
    ...Object.keys(condition).filter((key) => !CONDITION_KEYS.has(key)),
  ];
  for (const key of unknown) {
    const [near] = nearestNames(key, [...RULE_KEYS], 1, 3);
    const message = `"${key}" is not known here${near ? `; did you mean "${near}"?` : '.'}`;
    if (decision === PolicyDecision.ALLOW) throw new RuleError('schema_validation', message);
    warn(message, 'schema_validation');
  }
}

/** @throws RuleError */
export function compileChecker(table: Table, context: CompileContext): SafetyChecker {
  const validator = table['validator'];
  if (isTable(validator)) return legacyChecker(table, validator, context);
  const conditions = compileConditions(table, undefined, context);
  if (!conditions.toolNames && conditions.mcpName === undefined) {
    throw new RuleError('schema_validation', '"toolName" is missing in a safety checker.');
  }
  const priority = numberAt(table, 'priority') ?? 0;
  return { ...conditions, priority, source: context.source, checker: checkerSpec(table['checker']) };
}

function legacyChecker(table: Table, validator: Table, { source }: CompileContext): SafetyChecker {
  if (validator['type'] !== 'path_validation') {
    throw new RuleError('schema_validation', 'The validator "type" must be "path_validation".');
  }
  const config = { allowed_paths: textsAt(validator, 'allowed_paths') ?? [] };
  const priority = numberAt(table, 'priority') ?? 0;
  return {
    toolNames: [WRITE_FILE, REPLACE],
    priority,
    source,
    checker: { type: 'in-process', name: 'allowed-path', config },
  };
}

function checkerSpec(value: unknown): CheckerSpec {
  if (!isTable(value)) throw new RuleError('schema_validation', '"[safety_checker.checker]" is missing.');
  const name = textAt(value, 'name') ?? '';
  const type = value['type'];
  if (type !== 'in-process' && type !== 'external') {
    throw new RuleError('schema_validation', 'The checker "type" must be in-process or external.');
  }
  if (!/^[a-z0-9-]+$/.test(name)) {
    throw new RuleError('schema_validation', `The checker name "${name}" may hold a-z, 0-9 and "-" only.`);
  }
  const given = tableAt(value, 'config');
  const config = type === 'in-process' && given ? withLists(given) : given;
  return { type, name, requiredContext: textsAt(value, 'required_context'), config };
}

function withLists(config: Table): Table {
  const lists = LISTS.filter((key) => config[key] !== undefined).map((key) => [key, textsAt(config, key)]);
  return { ...config, ...Object.fromEntries(lists) };
}

function compileConditions(
  table: Table,
  pattern: string | undefined,
  context: CompileContext,
): RuleConditions {
  const { names, prefixes } = namesAndPrefixes(table);
  const regex = textAt(table, 'commandRegex');
  const argsPattern = textAt(table, 'argsPattern');
  const shellConditions = [prefixes, regex, pattern].filter((item) => item !== undefined);
  if (shellConditions.length + (argsPattern === undefined ? 0 : 1) > 1) {
    throw new RuleError(
      'rule_validation',
      'commandPrefix, commandRegex, command_pattern and argsPattern exclude each other.',
    );
  }
  const mcpName = textAt(table, 'mcpName');
  let toolNames = names?.map((name) => canonicalToolName(name.trim()));
  if (shellConditions.length > 0) {
    if (mcpName !== undefined || toolNames?.some((name) => name !== RUN_SHELL_COMMAND)) {
      throw new RuleError('rule_validation', `Command conditions need toolName = "${RUN_SHELL_COMMAND}".`);
    }
    toolNames = [RUN_SHELL_COMMAND];
  }
  if (prefixes?.length === 0) throw new RuleError('rule_validation', '"commandPrefix" is an empty list.');
  if (toolNames && (toolNames.length === 0 || toolNames.some((name) => name.trim() === '')))
    throw new RuleError('schema_validation', '"toolName" is empty.');
  // Every command begins with the empty prefix.
  const isEveryCommand = prefixes?.some((prefix) => prefix.trim() === '');
  if (mcpName === undefined) checkNames(toolNames ?? [], context);
  return {
    toolNames,
    mcpName,
    subagent: textAt(table, 'subagent'),
    argsPattern: argsPattern === undefined ? undefined : regexOf('argsPattern', argsPattern),
    commandPrefixes: isEveryCommand ? undefined : prefixes?.map((prefix) => prefix.trim()),
    commandRegex: regex === undefined ? undefined : regexOf('commandRegex', regex, true),
    commandPattern: pattern === undefined ? undefined : regexOf('command_pattern', pattern),
    toolAnnotations: tableAt(table, 'toolAnnotations'),
    modes: modesOf(table),
    interactive: booleanAt(table, 'interactive'),
    path: textAt(table, 'path'),
    folder: folderOf(table),
  };
}

function folderOf(table: Table): string | undefined {
  const folder = textAt(table, 'folder');
  if (folder === undefined || isAbsolute(folder)) return folder;
  throw new RuleError('schema_validation', '"folder" is not an absolute path.');
}

/** `toolName = "run_shell_command(curl)"`, as in settings, means the tool with a prefix. */
function namesAndPrefixes(table: Table): { names: string[] | undefined; prefixes: string[] | undefined } {
  const names = textsAt(table, 'toolName');
  const prefixes = textsAt(table, 'commandPrefix');
  const inner = names?.map((name) => /^\s*\w+\s*\(([\s\S]*)\)\s*$/.exec(name)?.[1]) ?? [];
  if (prefixes || inner.length === 0 || inner.includes(undefined)) return { names, prefixes };
  return {
    names: names?.map((name) => name.replace(/\([\s\S]*$/, '')),
    prefixes: inner.flatMap((text) => text ?? []),
  };
}

/** Names every tool that does not exist. */
function checkNames(names: readonly string[], context: CompileContext): void {
  const unknown = names.filter((name) => checkName(name, context) === 'unknown');
  if (unknown.length === 0) return;
  const list = unknown.map((name) => `"${name}"`).join(', ');
  context.warn(
    `There is no tool ${list}: the rule has an effect only for an agent of that name.`,
    'tool_name_warning',
  );
}

/** @returns `unknown` where only the list of all such names can tell the user */
function checkName(name: string, { warn, toolNames = [] }: CompileContext): 'unknown' | undefined {
  if (name.includes('__')) {
    warn(
      `"${name}": names with "__" are deprecated; use mcpName and toolName, or mcp_<server>_<tool>.`,
      'tool_name_warning',
    );
  }
  if (/\*|__|^mcp_|^discovered_tool_/.test(name)) return undefined;
  const known = [...new Set([...toolNames, ...toolsInDefaultRules()])];
  if (known.includes(name)) return undefined;
  const near = known.find((tool) => bareName(tool) === bareName(name)) ?? nearestNames(name, known, 1, 3)[0];
  // Without the tools of the program nothing is known for sure; an agent may have the name, too.
  if (!near) return toolNames.length === 0 || BUILTIN_AGENTS.has(name) ? undefined : 'unknown';
  warn(`There is no tool "${name}". Did you mean "${near}"?`, 'tool_name_warning', true);
  return undefined;
}

const BUILTIN_AGENTS: ReadonlySet<string> = new Set([
  'browser_agent',
  'cli_help',
  'codebase_investigator',
  'generalist',
]);

/** `WriteFileTool` and `write-file` are common misspellings of `write_file`. */
function bareName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[_\s-]/g, '')
    .replace(/tool$/, '');
}

function modesOf(table: Table): ApprovalMode[] | undefined {
  const names = textsAt(table, 'modes');
  if (!names || names.length === 0) return undefined;
  return names.map((name) => {
    const mode = Object.hasOwn(MODES, name) ? MODES[name] : undefined;
    if (!mode)
      throw new RuleError(
        'schema_validation',
        `"modes" knows default, autoEdit, yolo and plan, not "${name}".`,
      );
    return mode;
  });
}

function regexOf(field: string, source: string, atStart = false): RegExp {
  try {
    return compileRegex(source, { atStart });
  } catch (error) {
    throw new RuleError('regex_compilation', `"${field}": ${messageOf(error)}`);
  }
}

/** The decision of a table that may be broken elsewhere. */
export function decisionIn(table: Table): PolicyDecision | undefined {
  const action = isTable(table['action']) ? table['action']['type'] : undefined;
  const wanted = table['decision'] ?? table['type'] ?? action;
  return typeof wanted === 'string' && Object.hasOwn(DECISIONS, wanted) ? DECISIONS[wanted] : undefined;
}

export function isTable(value: unknown): value is Table {
  return isObject(value) && !(value instanceof Date);
}

function textAt(table: Table, key: string): string | undefined {
  const value = table[key];
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value;
  throw new RuleError('schema_validation', `"${key}" must be a text.`);
}

function textsAt(table: Table, key: string): string[] | undefined {
  const value = table[key];
  if (value === undefined) return undefined;
  const list = Array.isArray(value) ? value : [value];
  if (list.every((item) => typeof item === 'string')) return list;
  throw new RuleError('schema_validation', `"${key}" must be a text or a list of texts.`);
}

function tableAt(table: Table, key: string): Table | undefined {
  const value = table[key];
  if (value === undefined || isTable(value)) return value;
  throw new RuleError('schema_validation', `"${key}" must be a table.`);
}

function numberAt(table: Table, key: string): number | undefined {
  const value = table[key];
  if (value === undefined) return undefined;
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  throw new RuleError('schema_validation', `"${key}" must be a number.`);
}

function booleanAt(table: Table, key: string): boolean | undefined {
  const value = table[key];
  if (value === undefined || typeof value === 'boolean') return value;
  throw new RuleError('schema_validation', `"${key}" must be true or false.`);
}
