/** Compiles policy files (TOML) into rules and checkers. A broken allow rule is dropped, a broken restriction asks. */
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf, messageOf } from '../../base/errors.js';
import { nearestNames } from '../../base/nearest.js';
import { readSmallFile } from '../../platform/files/private-file.js';
import { PolicyDecision } from '../../protocol/confirmation.js';
import {
  type CompileContext,
  compileChecker,
  compileRule,
  decisionIn,
  isTable,
  RuleError,
  type Table,
} from '../rules/compile-rule.js';
import type { PolicyProblem, PolicyRule, PolicyTier, SafetyChecker } from '../rules/rule.js';
import { brokenChecker } from './broken-checker.js';
import { restrictionsIn, stopgapFor } from './broken-rule.js';
import { ANSWERS_FILE, readAnswer } from './saved-answers.js';

export interface PolicySet {
  rules: PolicyRule[];
  checkers: SafetyChecker[];
  problems: PolicyProblem[];
}

export interface PolicyFile {
  path: string;
  text: string;
  /** The parsed text, if it is known. */
  content?: unknown;
}

/** A setting of the sandbox, not a rule file. */
const SANDBOX_FILE = 'sandbox.toml';
const MAX_RULES = 10_000;
const RULE_KEYS = new Set(['rule', 'rules']);
const KNOWN_KEYS = ['rule', 'rules', 'safety_checker', 'safety_checkers', 'security'];
const ASKS = 'Calls that it may restrict ask until it is corrected.';
const MISSES_TOOL = 'Until it is corrected, the rule restricts nothing there.';
const NOWHERE = 'This is a link that leads nowhere.';

export function emptyPolicySet(): PolicySet {
  return { rules: [], checkers: [], problems: [] };
}

/** The `.toml` files of a directory in the order of their names, or the file itself. Empty if nothing exists there. */
function policyFilesAt(path: string): string[] {
  if (!isThere(path)) return [];
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new Error(NOWHERE);
  if (!stats.isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name.endsWith('.toml') && name !== SANDBOX_FILE)
    .sort()
    .map((name) => join(path, name));
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A path below a file cannot exist, for example when the home is not a directory.
    if (codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/** @param mustExist the user named the path, so a missing one is an error */
export function readPolicyFiles(
  paths: readonly string[],
  tier: PolicyTier,
  { mustExist = false, look = ignored }: { mustExist?: boolean; look?: (path: string) => void } = {},
): { files: PolicyFile[]; problems: PolicyProblem[] } {
  const files: PolicyFile[] = [];
  const problems: PolicyProblem[] = [];
  const fail = (file: string, message: string) =>
    problems.push({ kind: 'file_read', severity: 'error', tier, file, message, losesDeny: true });
  for (const path of paths) {
    look(path);
    const found =
      attempt(
        () => policyFilesAt(path),
        (message) => fail(path, message),
      ) ?? [];
    if (found.length === 0 && mustExist && !existsSync(path) && problems.at(-1)?.file !== path)
      fail(path, 'There is no such file or directory.');
    for (const file of found) {
      look(file);
      const content = attempt(
        () => readSmallFile(file) ?? nowhere(),
        (message) => fail(file, message),
      );
      if (content) files.push({ path: file, text: content.text });
    }
  }
  return { files, problems };
}

function ignored(): void {}

function nowhere(): never {
  throw new Error(NOWHERE);
}

function attempt<T>(work: () => T, onError: (message: string) => void): T | undefined {
  try {
    return work();
  } catch (error) {
    onError(messageOf(error));
    return undefined;
  }
}

export interface ParseOptions {
  /** Shown as the source of the rules; default: the path. */
  label?: string;
  /** Names of the built-in tools, to suggest for misspelt ones. */
  toolNames?: readonly string[];
  /** The project that the file belongs to. */
  projectDir?: string;
  /** Gets what was parsed. */
  onContent?: (content: unknown) => void;
}

export async function parsePolicyFile(
  { path, text, content: known }: PolicyFile,
  tier: PolicyTier,
  { label = path, toolNames, projectDir, onContent }: ParseOptions = {},
): Promise<PolicySet> {
  const set = emptyPolicySet();
  let content = known;
  if (content === undefined) {
    const { parse, TomlError } = await import('smol-toml');
    try {
      content = parse(text);
    } catch (error) {
      const [message = ''] = messageOf(error).split('\n');
      const line = error instanceof TomlError ? error.line : undefined;
      set.problems.push({
        kind: 'toml_parse',
        severity: 'error',
        tier,
        file: path,
        line,
        message: `${message}.`.replace(/\.\.$/, '.'),
        suggestion:
          'Until this is corrected it allows nothing; deny and ask rules that can be read are in force.',
        losesDeny: true,
      });
      const context = { tier, source: label, toolNames, warn: () => undefined };
      set.rules.push(...restrictionsIn(text, parse, context).slice(0, MAX_RULES));
      return set;
    }
    onContent?.(content);
  }
  if (isTable(content))
    new FileCompiler(set, path, text, { tier, source: label, toolNames }, projectDir).compile(content);
  return set;
}

class FileCompiler {
  constructor(
    private readonly set: PolicySet,
    private readonly file: string,
    private readonly text: string,
    private readonly context: Omit<CompileContext, 'warn'>,
    private readonly projectDir: string | undefined,
  ) {}

  compile(content: Table): void {
    for (const key of ['rule', 'rules'] as const) {
      this.each(content, key, (table, warn) => {
        if (this.set.rules.length >= MAX_RULES)
          throw new RuleError('rule_validation', `More than ${MAX_RULES} rules.`);
        if (table['safety_checker'] !== undefined && !isTable(table['safety_checker']))
          throw new RuleError('schema_validation', '"safety_checker" must be a table.');
        const rule = this.compileRule(table, warn);
        if (rule) this.set.rules.push(rule);
      });
    }
    for (const key of ['safety_checker', 'safety_checkers'] as const) {
      this.each(content, key, (table, warn) => {
        this.set.checkers.push(compileChecker(table, { ...this.context, warn }));
      });
    }
    for (const key of Object.keys(content).filter((name) => !KNOWN_KEYS.includes(name)))
      this.unknown(key, content[key]);
  }

  /** Tables under a misspelt key may be rules, so what they might forbid asks. */
  private unknown(key: string, value: unknown): void {
    const tables = Array.isArray(value) ? value.filter(isTable).filter(mayRestrict) : [];
    const [near] = nearestNames(key, KNOWN_KEYS, 1, 3);
    const message = `"${key}" is not known here and has no effect.${near ? ` Did you mean "${near}"?` : ''}`;
    const isLost = tables.length > 0;
    this.report({
      kind: 'schema_validation',
      severity: isLost ? 'error' : 'warning',
      message,
      ...(isLost && { losesDeny: true, line: this.linesOf(key)[0], suggestion: ASKS }),
    });
    for (const table of tables) this.replaceBroken(table, message);
  }

  private replaceBroken(table: unknown, message: string): void {
    this.set.checkers.push(brokenChecker(table, this.context.source, message));
  }

  private compileRule(table: Table, warn: CompileContext['warn']): PolicyRule | undefined {
    const rule = compileRule(table, { ...this.context, warn });
    if (basename(this.file) !== ANSWERS_FILE) return rule;
    const answer = readAnswer(rule, this.projectDir);
    if (!answer)
      warn(
        'This answer names a file but no project, and is not in force. Delete it, or write its whole path.',
      );
    return answer;
  }

  private each(content: Table, key: string, add: (table: Table, warn: CompileContext['warn']) => void): void {
    const list = content[key];
    if (list === undefined) return;
    if (!Array.isArray(list)) {
      const message = `"${key}" must be written as [[${key}]].`;
      const suggestion = isTable(list) && RULE_KEYS.has(key) ? this.addStopgap(list, message) : undefined;
      this.report({ kind: 'schema_validation', severity: 'error', message, suggestion, losesDeny: true });
      if (isCheckerKey(key)) this.replaceBroken(list, message);
      return;
    }
    const lines = this.linesOf(key);
    list.forEach((table: unknown, index) => {
      const line = lines[index];
      try {
        if (!isTable(table)) throw new RuleError('schema_validation', `"${key}" must hold tables.`);
        const restricts = isCheckerKey(key) || mayRestrict(table);
        add(table, (message, kind = 'rule_validation', missesTool = false) =>
          this.report({
            kind,
            severity: 'warning',
            message,
            line,
            ...(missesTool && restricts && { missesTool, suggestion: MISSES_TOOL }),
          }),
        );
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
        const hasChecker = isCheckerKey(key) || (isTable(table) && table['safety_checker'] !== undefined);
        const losesDeny = hasChecker || (isTable(table) && mayDeny(table));
        const asks = isTable(table) && RULE_KEYS.has(key) ? this.addStopgap(table, error.message) : undefined;
        const suggestion = asks ?? (hasChecker ? ASKS : 'This rule is not in force; the others are.');
        if (hasChecker) this.replaceBroken(table, error.message);
        this.report({
          kind: error.kind,
          severity: 'error',
          message: error.message,
          line,
          suggestion,
          losesDeny,
        });
      }
    });
  }

  /** Replaces a broken restriction. @returns what that means for the user */
  private addStopgap(table: Table, problem: string): string | undefined {
    if (!mayRestrict(table)) return undefined;
    const rule = stopgapFor(table, { ...this.context, warn: () => undefined });
    if (!rule || this.set.rules.length >= MAX_RULES) {
      this.replaceBroken(table, problem);
      return ASKS;
    }
    this.set.rules.push(rule);
    const tools = [rule.mcpName, ...(rule.toolNames ?? [])].filter(Boolean).join(', ');
    return `Until it is corrected, calls that it may restrict ask (${tools}).`;
  }

  private report(problem: Omit<PolicyProblem, 'tier' | 'file'>): void {
    this.set.problems.push({ ...problem, tier: this.context.tier, file: this.file });
  }

  /** The TOML parser reports no lines, but the headers of an array of tables come in its order. */
  private linesOf(key: string): number[] {
    const header = new RegExp(`^\\s*\\[\\[\\s*"?${key}"?\\s*\\]\\]`);
    return this.text.split('\n').flatMap((line, index) => (header.test(line) ? [index + 1] : []));
  }
}

/** True for an unreadable decision, too. */
function mayDeny(table: Table): boolean {
  const decision = decisionIn(table);
  return decision !== PolicyDecision.ALLOW && decision !== PolicyDecision.ASK_USER;
}

function mayRestrict(table: Table): boolean {
  return decisionIn(table) !== PolicyDecision.ALLOW;
}

function isCheckerKey(key: string): boolean {
  return key === 'safety_checker' || key === 'safety_checkers';
}
