/** Decides whether a call runs, asks or is refused: rules, shell judgement, safety checkers, approval mode. */
import { join, resolve } from 'node:path';
import { FatalConfigError, messageOf } from '../base/errors.js';
import type { DecisionContext, DecisionSource } from '../bus/message-bus.js';
import type { Environment } from '../platform/environment.js';
import { realPathOf } from '../platform/files/real-path.js';
import { createLog } from '../platform/log.js';
import { globalGeminiDir } from '../platform/storage/storage.js';
import { ApprovalMode, PolicyDecision, type UpdatePolicy } from '../protocol/confirmation.js';
import type { FunctionCall } from '../protocol/messages.js';
import type { Kind } from '../protocol/tool-declaration.js';
import { canonicalToolName, RUN_SHELL_COMMAND } from '../protocol/tool-names.js';
import { alwaysRule } from './answers/always-rules.js';
import { AlwaysSaver } from './answers/always-saver.js';
import type { CheckerHost } from './checkers/runner.js';
import { checkersOf, selectCheckers } from './checkers/selection.js';
import { deny, type PolicyVerdict } from './decision.js';
import { defaultRules } from './default-rules.js';
import { hasPolicyFiles } from './files/policy-presence.js';
import { keptRestrictions, readPolicies } from './files/read-policies.js';
import type { FileRules, LoadedPolicies, PolicySources } from './files/sources.js';
import { ModeState } from './mode-state.js';
import { callFacts } from './rules/call-facts.js';
import { isNarrowed, type PolicyRule, type SafetyChecker } from './rules/rule.js';
import { type RuleFilter, RuleIndex } from './rules/rule-index.js';
import { type ContainmentCheck, RuleJudge } from './rules/rule-judge.js';
import { type CallFacts, hasAnnotations } from './rules/rule-match.js';
import { type PolicyLists, settingsRules } from './rules/settings-rules.js';

export type { PolicyLists };

export interface PolicyOptions extends PolicyLists {
  /** The mode the session begins in; or `modes`, to share the state with other parts of the program. */
  approvalMode?: ApprovalMode;
  modes?: ModeState;
  /** False: there is no user to answer, so what would ask is refused. */
  interactive: boolean;
  environment: Environment;
  /** Absent: trusted. */
  isTrusted?: () => boolean;
  /** The kind of a registered tool. */
  kindOf: (toolName: string) => Kind | undefined;
  /** Where calls run: real paths. Absent: the working directory. */
  workspace?: () => { cwd: string; directories: readonly string[] };
  /** The absolute path that tools make of a path in their arguments. Absent: relative to where calls run. */
  resolvePath?: (path: string) => string;
  /** The project's private temporary folder; it counts as part of the workspace. */
  projectTempDir?: string;
  /** Absent: plan mode writes nothing. */
  plansDirectory?: () => string | undefined;
  /** Policy files; read by `reload`. */
  sources?: () => PolicySources;
  /** The command a process runs; input to the process is judged like that command. */
  commandOfProcess?: (pid: number) => string | undefined;
  /** The conversation, for checkers that ask for it. */
  history?: () => unknown[];
  /** Whether the skill in force under this name is one of ours. */
  isBuiltinSkill?: CheckerHost['isBuiltinSkill'];
  /** The checker `conseca`. */
  judgeTask?: CheckerHost['judgeTask'];
  /** Contains commands that run unasked because they are known to be harmless. Absent: they run without a sandbox. */
  containment?: ContainmentCheck;
  /** Shows the user a message that is not about one call. */
  onNotice?: (message: string) => void;
}

const log = createLog('policy');
const { ALLOW, DENY, ASK_USER } = PolicyDecision;
const NOTHING: FileRules = { rules: [], checkers: [] };
const YOLO_DISABLED = 'Yolo mode is disabled by security.disableYoloMode.';
/** Credential files that GitHub Actions writes into the workspace: no rule can allow a tool to touch them. */
const CREDENTIALS = /gha-creds-[^"\s]*\.json/;

export class PolicyEngine implements DecisionSource {
  private lists: PolicyLists;
  readonly modes: ModeState;
  private readonly index = new RuleIndex();
  private readonly builtIn = defaultRules();
  private readonly sessionRules: PolicyRule[] = [];
  /** Of agents that run now. */
  private readonly runRules = new Set<PolicyRule>();
  private loaded: FileRules = NOTHING;
  /** In the order they run. */
  private checkers: readonly SafetyChecker[] = [];
  private readonly saver: AlwaysSaver;
  private readonly ruleJudge: RuleJudge;
  /** Answers of `isAlwaysDenied`. */
  private readonly denials = new Map<string, boolean>();

  constructor(private readonly options: PolicyOptions) {
    this.modes = options.modes ?? new ModeState(options.approvalMode ?? ApprovalMode.DEFAULT);
    this.lists = options;
    this.saver = new AlwaysSaver(options);
    this.ruleJudge = new RuleJudge(this.index, {
      ...options,
      mode: () => this.modes.current,
      filter: () => this.filter(),
      workspace: () => this.workspace(),
      resolvePath: (path) => this.resolvePath(path),
    });
    if (this.modes.current === ApprovalMode.YOLO && options.disableYoloMode) {
      throw new FatalConfigError(YOLO_DISABLED);
    }
    this.configure(options);
    if (!this.isTrusted()) this.dropPrivileges();
  }

  configure(lists: PolicyLists): void {
    this.lists = lists;
    if (lists.disableAlwaysAllow) this.sessionRules.length = 0;
    this.rebuild();
  }

  /**
   * Reads all policy files. Call it at the start and when a file, the folder trust or the
   * extensions change. @throws FatalConfigError when a deny rule of the administrator is broken
   */
  async reload(): Promise<LoadedPolicies | undefined> {
    const sources = this.options.sources?.();
    if (!sources) return undefined;
    const loaded = hasPolicyFiles(sources) ? await readPolicies(sources) : undefined;
    const lost = loaded?.problems.length ? await keptRestrictions(loaded, this.loaded) : NOTHING;
    this.loaded = {
      rules: [...(loaded?.rules ?? []), ...lost.rules],
      checkers: [...(loaded?.checkers ?? []), ...lost.checkers],
    };
    this.rebuild();
    return loaded;
  }

  getApprovalMode(): ApprovalMode {
    return this.modes.current;
  }

  /** @throws when folder trust or an administrator forbids this mode */
  setApprovalMode(mode: ApprovalMode): void {
    const isPrivileged = mode === ApprovalMode.YOLO || mode === ApprovalMode.AUTO_EDIT;
    if (isPrivileged && !this.isTrusted()) {
      throw new Error('Cannot enable privileged approval modes in an untrusted folder.');
    }
    if (mode === ApprovalMode.YOLO && this.lists.disableYoloMode) {
      throw new Error(YOLO_DISABLED);
    }
    this.modes.change(mode);
  }

  /** The rules in force, of every mode, the highest priority first (for `/policies`). */
  getRules(): readonly PolicyRule[] {
    return this.index.all(this.filter());
  }

  /** Where plan mode may write. */
  getPlansDirectory(): string | undefined {
    return this.options.plansDirectory?.();
  }

  /** Call it when the folder is no longer trusted: drops "always" answers and privileged modes. */
  dropPrivileges(): void {
    this.sessionRules.length = 0;
    this.modes.beforePlan = undefined;
    if (this.modes.current !== ApprovalMode.PLAN) this.modes.change(ApprovalMode.DEFAULT);
    this.rebuild();
  }

  async check(call: FunctionCall, context: DecisionContext = {}): Promise<PolicyVerdict> {
    const toolName = canonicalToolName(call.name);
    const verdict = await this.judge(toolName, call.args ?? {}, context);
    return this.forUser(toolName, verdict);
  }

  async evaluate(call: FunctionCall, context: DecisionContext = {}): Promise<PolicyDecision> {
    return (await this.check(call, context)).decision;
  }

  /** True when no call of this tool can run, so the model is not offered the tool. */
  isAlwaysDenied(toolName: string, context?: DecisionContext): boolean {
    // Asked for every tool before every request, so cached; only rules, mode and trust change the answer.
    const key = `${this.modes.current} ${this.isTrusted()} ${toolName} ${context ? JSON.stringify(context) : ''}`;
    const known = this.denials.get(key);
    if (known !== undefined) return known;
    const answer = this.neverRuns(toolName, context ?? {});
    this.denials.set(key, answer);
    return answer;
  }

  /** A headless run without a shell rule has no shell tool: the model is told that the tool does not exist. */
  isHidden(toolName: string): boolean {
    return !this.options.interactive && toolName === RUN_SHELL_COMMAND && this.isAlwaysDenied(toolName);
  }

  private neverRuns(toolName: string, context: DecisionContext): boolean {
    const facts = this.factsOf(canonicalToolName(toolName), {}, context);
    const runs = (decision: PolicyDecision) =>
      decision === ALLOW || (decision === ASK_USER && this.options.interactive);
    const answer = this.index.firstAnswer(facts, this.filter(), (rule) => {
      if (rule.toolAnnotations && context.serverName !== undefined) {
        // Known for the tool as a whole, not only for a call.
        if (!hasAnnotations(rule.toolAnnotations, context.toolAnnotations)) return undefined;
      }
      // A narrowed rule decides only some calls; the next rule decides the others.
      if (!isNarrowed(rule)) return !runs(rule.decision);
      return runs(rule.decision) ? false : undefined;
    });
    return answer ?? !runs(this.modes.current === ApprovalMode.YOLO ? ALLOW : ASK_USER);
  }

  /** Loads the shell judge and its grammar before the first command. */
  async prepareShell(): Promise<void> {
    const { commandTextsIn } = await import('./shell-judge.js');
    // Any line that needs the grammar: that is what takes long to load.
    await commandTextsIn('echo "$HOME" > file && (cd src; ls)');
  }

  /** Adds the rule of an "always" answer for this session and, if the user wants, saves it for later ones. */
  applyUpdate(update: UpdatePolicy): void {
    if (!this.isTrusted() || this.lists.disableAlwaysAllow) return;
    const rule = this.ruleOf(update);
    if (!rule) return;
    this.sessionRules.push(rule);
    this.rebuild();
    if (update.persist) this.saver.save(update, this.modes.current);
  }

  /** Adds rules for one run of an agent. @returns a function that removes them */
  addRunRules(rules: readonly PolicyRule[]): () => void {
    if (rules.length === 0) return () => {};
    // Copies: two runs of the same agent must not remove each other's rules.
    const own = rules.map((rule) => ({ ...rule }));
    for (const rule of own) this.runRules.add(rule);
    this.rebuild();
    return () => {
      for (const rule of own) this.runRules.delete(rule);
      this.rebuild();
    };
  }

  flush(): Promise<void> {
    return this.saver.flush();
  }

  private ruleOf(update: UpdatePolicy): PolicyRule | undefined {
    try {
      return alwaysRule(update, this.modes.current, 'workspace');
    } catch (error) {
      log.warn('An "always" answer made no valid rule.', messageOf(error));
      return undefined;
    }
  }

  /** Of rules with equal priority the earlier wins. */
  private rebuild(): void {
    this.denials.clear();
    const planRules = this.options.plansDirectory?.()
      ? this.builtIn
      : this.builtIn.filter((rule) => rule.name !== 'plan-files');
    this.checkers = checkersOf(this.loaded, this.lists);
    this.index.replace([
      ...this.loaded.rules,
      ...settingsRules(this.lists),
      ...this.runRules,
      ...this.sessionRules,
      ...planRules,
    ]);
  }

  private async judge(
    toolName: string,
    args: Readonly<Record<string, unknown>>,
    context: DecisionContext,
  ): Promise<PolicyVerdict> {
    const facts = this.factsOf(toolName, args, context);
    // Tools remove NUL characters from paths.
    if (CREDENTIALS.test(facts.argsJson().replaceAll('\\u0000', '')))
      return deny('Credentials of the build service are off limits.');
    const verdict = await this.ruleJudge.judge(toolName, args, facts);
    // In a headless run asking means refusing, which no checker can change.
    const isDecided = verdict.decision === ASK_USER && !this.options.interactive;
    if (verdict.decision === DENY || isDecided) return verdict;
    const checkers = await selectCheckers(
      this.checkers,
      facts,
      { command: args['command'], path: this.options.environment.variables['PATH'] },
      verdict.rule,
    );
    if (checkers.length === 0) return verdict;
    const { runCheckers } = await import('./checkers/runner.js');
    return runCheckers(checkers, { name: toolName, args }, verdict, this.checkerHost(context.signal));
  }

  private factsOf(
    toolName: string,
    args: Readonly<Record<string, unknown>>,
    context: DecisionContext,
  ): CallFacts {
    const session = { mode: this.modes.current, interactive: this.options.interactive };
    return callFacts(toolName, args, context, session, (path) => realPathOf(this.resolvePath(path)));
  }

  private checkerHost(signal: AbortSignal | undefined): CheckerHost {
    const { cwd, directories } = this.workspace();
    const { environment, projectTempDir, plansDirectory, history, judgeTask, isBuiltinSkill } = this.options;
    return {
      cwd,
      resolvePath: (path: string) => this.resolvePath(path),
      workspaces: projectTempDir ? [...directories, projectTempDir] : directories,
      checkersDirectory: join(globalGeminiDir(environment.variables), 'checkers'),
      variables: environment.variables,
      plansDirectory: plansDirectory?.(),
      history,
      judgeTask,
      isBuiltinSkill,
      signal,
    };
  }

  /** Must resolve as the tools do; otherwise the judged file is not the one the tool touches. */
  private resolvePath(path: string): string {
    return this.options.resolvePath?.(path) ?? resolve(this.workspace().cwd, path);
  }

  private workspace(): { cwd: string; directories: readonly string[] } {
    const { cwd } = this.options.environment;
    return this.options.workspace?.() ?? { cwd, directories: [realPathOf(cwd)] };
  }

  private filter(): RuleFilter {
    return { trusted: this.isTrusted(), disableAlwaysAllow: this.lists.disableAlwaysAllow ?? false };
  }

  private isTrusted(): boolean {
    return this.options.isTrusted?.() ?? true;
  }

  /** Turns asking into refusing in a headless run, and gives every refusal a reason. */
  private forUser(toolName: string, verdict: PolicyVerdict): PolicyVerdict {
    if (verdict.decision === DENY) {
      const from = verdict.rule ? ` (${verdict.rule.source})` : '';
      return { ...verdict, reason: verdict.reason ?? `A rule forbids "${toolName}"${from}.` };
    }
    if (verdict.decision !== ASK_USER || this.options.interactive) return verdict;
    const why = verdict.reason ? `${verdict.reason} ` : '';
    return {
      ...verdict,
      decision: DENY,
      isUnanswered: true,
      reason:
        `${why}"${toolName}" needs the user's approval, which cannot be given in a headless run. Continue without ` +
        `it, or tell the user to ${WAYS_TO_APPROVE[this.modes.current]}.`,
    };
  }
}

const INTERACTIVE = 'do it in the interactive program, which can ask';

/** In each mode, what a user of a headless run can do about a call that would be asked about. */
const WAYS_TO_APPROVE: Readonly<Record<ApprovalMode, string>> = {
  [ApprovalMode.PLAN]: INTERACTIVE,
  [ApprovalMode.DEFAULT]: 'run again with --approval-mode auto_edit (edits) or yolo (everything)',
  [ApprovalMode.AUTO_EDIT]: `run again with --approval-mode yolo (everything), or ${INTERACTIVE}`,
  [ApprovalMode.YOLO]: INTERACTIVE,
};
