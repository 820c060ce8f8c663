/** Decides whether the user trusts a folder, before any file of the folder is read. */
import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { FatalError, messageOf, UserError } from '../../base/errors.js';
import { homeOf } from '../../platform/environment.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import type { FileProblem } from '../types.js';
import {
  readTrustedFolders,
  requireNoFatalProblems,
  type TrustedFoldersFile,
  type TrustLevel,
  type TrustRule,
  trustedFoldersPath,
} from './trusted-folders-file.js';

export type { TrustLevel } from './trusted-folders-file.js';
export type TrustDecision = 'trusted' | 'untrusted' | 'undecided';

export interface TrustQuestion {
  folder: string;
  env: NodeJS.ProcessEnv;
  /** `--skip-trust` */
  skipTrust: boolean;
  /** `security.folderTrust.enabled` of the user and system settings; a workspace cannot change it. */
  featureEnabled: boolean;
  /** What a connected IDE says about its workspace. */
  ideAnswer?: boolean;
  folders: Pick<TrustedFolders, 'decide'>;
}

export interface TrustAnswer {
  trusted: boolean;
  /** `none`: the user has not decided yet, and until then the folder is not trusted. */
  source: 'flag' | 'env' | 'disabled' | 'ide' | 'file' | 'none';
}

/** The first source with an answer decides: the session, the feature switch, the IDE, the saved rules. */
export function decideTrust(question: TrustQuestion): TrustAnswer {
  const { folder, env, skipTrust, featureEnabled, ideAnswer, folders } = question;
  if (skipTrust) return { trusted: true, source: 'flag' };
  const forSession = env['GEMINI_CLI_TRUST_WORKSPACE'];
  if (forSession === 'true' || forSession === 'false')
    return { trusted: forSession === 'true', source: 'env' };
  if (!featureEnabled) return { trusted: true, source: 'disabled' };
  if (ideAnswer !== undefined) return { trusted: ideAnswer, source: 'ide' };
  const decision = folders.decide(folder);
  return { trusted: decision === 'trusted', source: decision === 'undecided' ? 'none' : 'file' };
}

export interface LoadTrustOptions {
  /** Errors become `problems` instead of ending the program; valid entries count. */
  tolerant?: boolean;
  /** `trustedFolders` of the user and system settings: each is trusted with all below. */
  trustedFolders?: readonly string[];
}

export class TrustedFolders {
  private resolved: ResolvedRule[] | undefined;

  private constructor(
    private readonly path: string,
    private file: TrustedFoldersFile,
    private readonly fixed: readonly TrustRule[],
  ) {}

  static load(env: NodeJS.ProcessEnv, options: LoadTrustOptions = {}): TrustedFolders {
    const path = trustedFoldersPath(env);
    const file = readTrustedFolders(path);
    if (!options.tolerant) requireNoFatalProblems(path, file.problems);
    return new TrustedFolders(path, file, rulesOf(options.trustedFolders ?? [], env));
  }

  get problems(): readonly FileProblem[] {
    return this.file.problems;
  }

  decide(folder: string): TrustDecision {
    this.resolved ??= [...this.file.rules, ...this.fixed].flatMap(resolveRule);
    const rule = nearestRule(this.resolved, realPathOf(resolve(folder)));
    if (!rule) return 'undecided';
    return rule.trusts ? 'trusted' : 'untrusted';
  }

  /** Saves the user's answer. It takes effect at once in this process, even if the file cannot be written. */
  async setRule(folder: string, level: TrustLevel): Promise<void> {
    const rule = { path: realPathOf(resolve(folder)), level };
    const isReplaced = contradicts(rule);
    this.use({
      ...this.file,
      rules: [...this.file.rules.filter((old) => old.path !== rule.path && !isReplaced(old)), rule],
    });
    try {
      const { saveTrustRule } = await import('./trusted-folders-write.js');
      this.use(await saveTrustRule(this.path, rule, isReplaced));
    } catch (error) {
      if (error instanceof FatalError) throw error;
      throw new UserError(`Failed to save trusted folders: ${messageOf(error)}`, {
        code: 'trust_not_saved',
        cause: error,
      });
    }
  }

  private use(file: TrustedFoldersFile): void {
    this.file = file;
    this.resolved = undefined;
  }
}

/** A rule with the real path of its folder. */
export interface ResolvedRule {
  base: string;
  trusts: boolean;
}

/** The longest path wins; of two rules for the same folder, the one that forbids. */
export function nearestRule(
  rules: readonly ResolvedRule[],
  folder: string,
  isSame: (a: string, b: string) => boolean = isSameFolder,
): ResolvedRule | undefined {
  let nearest: ResolvedRule | undefined;
  for (const rule of rules) {
    const wins = !nearest || isLonger(rule, nearest);
    if (wins && covers(rule.base, folder, isSame)) nearest = rule;
  }
  return nearest;
}

function isLonger(rule: ResolvedRule, than: ResolvedRule): boolean {
  const [length, other] = [rule.base.length, than.base.length];
  return length > other || (length === other && !rule.trusts);
}

/**
 * On a case-insensitive disk a rule may be spelt differently. The inodes are compared then, since a case-sensitive disk
 * may have both folders.
 */
function covers(base: string, folder: string, isSame: (a: string, b: string) => boolean): boolean {
  if (isInside(folder, base)) return true;
  const depth = base.split(sep).length;
  const ancestor = folder.split(sep).slice(0, depth).join(sep);
  return fold(ancestor) === fold(base) && isSame(ancestor, base);
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function isSameFolder(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev;
}

function resolveRule({ path, level }: TrustRule): ResolvedRule[] {
  const base = baseOf({ path, level });
  return base === undefined ? [] : [{ base, trusts: level !== 'DO_NOT_TRUST' }];
}

/** Undefined for a cycle of links, which would otherwise resolve to the root and so cover all folders. */
function baseOf({ path, level }: TrustRule): string | undefined {
  const real = realPathOf(resolve(path));
  if (dirname(real) === real && resolve(path) !== real) return undefined;
  return level === 'TRUST_PARENT' ? dirname(real) : real;
}

/** Whether an old rule is about the same folder as the new one, however spelt. */
function contradicts(rule: TrustRule): (old: TrustRule) => boolean {
  const folders = new Set([rule.path, baseOf(rule)]);
  return (old) => folders.has(baseOf(old));
}

function rulesOf(trustedFolders: readonly string[], env: NodeJS.ProcessEnv): TrustRule[] {
  return trustedFolders
    .map((path) => (path === '~' || /^~[/\\]/.test(path) ? join(homeOf(env), path.slice(1)) : path))
    .filter((path) => isAbsolute(path))
    .map((path) => ({ path, level: 'TRUST_FOLDER' }));
}
