/** Policy files: TOML text to rules and checkers. A bad rule is left out alone, a bad file as a whole. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf } from '../base/errors.js';
import { readSmallFile } from '../platform/private-file.js';
import { PolicyDecision } from '../protocol/confirmation.js';
import {
  type CompileContext,
  compileChecker,
  compileRule,
  isTable,
  RuleError,
  type Table,
} from './compile-rule.js';
import type { PolicyProblem, PolicyRule, PolicyTier, SafetyChecker } from './rule.js';
import { ANSWERS_FILE, readAnswer } from './saved-answers.js';

export interface PolicySet {
  rules: PolicyRule[];
  checkers: SafetyChecker[];
  problems: PolicyProblem[];
}

export interface PolicyFile {
  path: string;
  text: string;
}

/** Not a rule file: it belongs to the sandbox. */
const SANDBOX_FILE = 'sandbox.toml';
const MOST_RULES = 10_000;

export function emptyPolicySet(): PolicySet {
  return { rules: [], checkers: [], problems: [] };
}

/** The `.toml` files of a directory in the order of their names, or the one file. Nothing there: none. */
function policyFilesAt(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name.endsWith('.toml') && name !== SANDBOX_FILE)
    .sort()
    .map((name) => join(path, name));
}

/** @param mustExist a path that the user named */
export function readPolicyFiles(
  paths: readonly string[],
  tier: PolicyTier,
  { mustExist = false } = {},
): { files: PolicyFile[]; problems: PolicyProblem[] } {
  const files: PolicyFile[] = [];
  const problems: PolicyProblem[] = [];
  const fail = (file: string, message: string) =>
    problems.push({ kind: 'file_read', severity: 'error', tier, file, message, losesDeny: true });
  for (const path of paths) {
    const found =
      attempt(
        () => policyFilesAt(path),
        (message) => fail(path, message),
      ) ?? [];
    if (found.length === 0 && mustExist && !existsSync(path))
      fail(path, 'There is no such file or directory.');
    for (const file of found) {
      const content = attempt(
        () => readSmallFile(file),
        (message) => fail(file, message),
      );
      if (content) files.push({ path: file, text: content.text });
    }
  }
  return { files, problems };
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
  /** Names of the built-in tools, for hints about misspelt ones. */
  toolNames?: readonly string[];
  /** Of the project whose file it is. */
  projectDir?: string;
}

export async function parsePolicyFile(
  { path, text }: PolicyFile,
  tier: PolicyTier,
  { label = path, toolNames, projectDir }: ParseOptions = {},
): Promise<PolicySet> {
  const set = emptyPolicySet();
  const { parse, TomlError } = await import('smol-toml');
  let content: unknown;
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
      suggestion: 'None of its rules is in force until this is corrected.',
      losesDeny: true,
    });
    return set;
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
        if (this.set.rules.length >= MOST_RULES)
          throw new RuleError('rule_validation', `More than ${MOST_RULES} rules.`);
        const rule = this.compileRule(table, warn);
        if (rule) this.set.rules.push(rule);
      });
    }
    for (const key of ['safety_checker', 'safety_checkers'] as const) {
      this.each(content, key, (table, warn) => {
        this.set.checkers.push(compileChecker(table, { ...this.context, warn }));
      });
    }
    const known = ['rule', 'rules', 'safety_checker', 'safety_checkers', 'security'];
    for (const key of Object.keys(content).filter((name) => !known.includes(name))) {
      this.report({
        kind: 'schema_validation',
        severity: 'warning',
        message: `"${key}" is not known here and has no effect.`,
      });
    }
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

  private each(
    content: Table,
    key: string,
    add: (table: Table, warn: (message: string, kind?: PolicyProblem['kind']) => void) => void,
  ): void {
    const list = content[key];
    if (list === undefined) return;
    if (!Array.isArray(list)) {
      const message = `"${key}" must be written as [[${key}]].`;
      this.report({ kind: 'schema_validation', severity: 'error', message, losesDeny: true });
      return;
    }
    const lines = this.linesOf(key);
    list.forEach((table: unknown, index) => {
      const line = lines[index];
      try {
        if (!isTable(table)) throw new RuleError('schema_validation', `"${key}" must hold tables.`);
        add(table, (message, kind = 'rule_validation') =>
          this.report({ kind, severity: 'warning', message, line }),
        );
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
        const losesDeny = isTable(table) && mayDeny(table);
        const suggestion = 'This rule is not in force; the others are.';
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

  private report(problem: Omit<PolicyProblem, 'tier' | 'file'>): void {
    this.set.problems.push({ ...problem, tier: this.context.tier, file: this.file });
  }

  /** The parser keeps no places; the headers of an array of tables stand in its order. */
  private linesOf(key: string): number[] {
    const header = new RegExp(`^\\s*\\[\\[\\s*"?${key}"?\\s*\\]\\]`);
    return this.text.split('\n').flatMap((line, index) => (header.test(line) ? [index + 1] : []));
  }
}

function mayDeny(table: Table): boolean {
  const action = isTable(table['action']) ? table['action']['type'] : undefined;
  const decision = table['decision'] ?? table['type'] ?? action;
  return (
    decision === PolicyDecision.DENY || table['checker'] !== undefined || table['validator'] !== undefined
  );
}
