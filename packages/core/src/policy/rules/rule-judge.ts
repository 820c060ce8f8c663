/** Judges one call by rules and approval mode; commands go to the shell judge, process input counts as its command. */
import { type Environment, geminiHome } from '../../platform/environment.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { ApprovalMode, type Containment, PolicyDecision } from '../../protocol/confirmation.js';
import { Kind } from '../../protocol/tool-declaration.js';
import { REPLACE, RUN_SHELL_COMMAND, SEND_PROCESS_INPUT, WRITE_FILE } from '../../protocol/tool-names.js';
import { allow, ask, type PolicyVerdict, verdictOf } from '../decision.js';
import { hasPattern } from './rule.js';
import type { RuleFilter, RuleIndex } from './rule-index.js';
import type { CallFacts } from './rule-match.js';

export interface ContainmentCheck {
  /** `absent`: this machine has no sandbox. `problem`: it has one, but not for this workspace as it is. */
  check(kind: Containment): Promise<'held' | 'absent' | { problem: string }>;
}

export interface JudgedSession {
  environment: Environment;
  mode: () => ApprovalMode;
  filter: () => RuleFilter;
  kindOf: (toolName: string) => Kind | undefined;
  /** Where calls run: real paths. */
  workspace: () => { cwd: string; directories: readonly string[] };
  resolvePath: (path: string) => string;
  projectTempDir?: string;
  commandOfProcess?: (pid: number) => string | undefined;
  /** Absent: commands that run unasked are not sandboxed. */
  containment?: ContainmentCheck;
}

type Arguments = Readonly<Record<string, unknown>>;

const { ALLOW, DENY, ASK_USER } = PolicyDecision;

export class RuleJudge {
  constructor(
    private readonly index: RuleIndex,
    private readonly session: JudgedSession,
  ) {}

  async judge(toolName: string, args: Arguments, facts: CallFacts): Promise<PolicyVerdict> {
    const { command } = args;
    if (toolName === RUN_SHELL_COMMAND && typeof command === 'string')
      return this.contained(await this.judgeCommand(command, args, facts));
    const rule = this.index.find(facts, this.session.filter());
    const mode = this.session.mode();
    const verdict = rule ? verdictOf(rule) : mode === ApprovalMode.YOLO ? allow() : ask();
    if (toolName === SEND_PROCESS_INPUT) return this.judgeInput(args, facts, verdict);
    const mayPass = mode === ApprovalMode.YOLO || mode === ApprovalMode.PLAN || (rule && hasPattern(rule));
    const isAutomatic = verdict.decision === ALLOW && !mayPass;
    if (isAutomatic && this.isEdit(toolName) && this.touchesProgramSettings(args)) {
      return ask('It changes settings, hooks or policies of this program.', rule);
    }
    return verdict;
  }

  private async judgeCommand(command: string, args: Arguments, facts: CallFacts): Promise<PolicyVerdict> {
    const { judgeShell } = await import('../shell-judge.js');
    const { environment, filter, resolvePath, workspace } = this.session;
    const { cwd, directories } = workspace();
    const directory = typeof args['dir_path'] === 'string' ? resolvePath(args['dir_path']) : cwd;
    const { variables } = environment;
    const context = {
      cwd: directory,
      workspaces: directories,
      home: geminiHome(variables),
      env: variables,
    };
    return judgeShell({ command, args, facts, filter: filter(), context }, this.index);
  }

  /** A command that runs only because it is known to be harmless is sandboxed; if that fails here, the user decides. */
  private async contained({ containment, ...verdict }: PolicyVerdict): Promise<PolicyVerdict> {
    if (!containment || !this.session.containment) return verdict;
    const answer = await this.session.containment.check(containment);
    if (answer === 'held') return { ...verdict, containment };
    return answer === 'absent' ? verdict : ask(answer.problem, verdict.rule);
  }

  /** Input to a process is judged like the process's command, unless a rule for this tool decides. */
  private async judgeInput(args: Arguments, facts: CallFacts, own: PolicyVerdict): Promise<PolicyVerdict> {
    const isOwnRule = own.rule !== undefined && own.rule.tier !== 'default';
    const pid = Number(args['pid']);
    const command = Number.isInteger(pid) ? this.session.commandOfProcess?.(pid) : undefined;
    if (own.decision === DENY || isOwnRule || command === undefined) return own;
    const shellFacts = { ...facts, toolName: RUN_SHELL_COMMAND };
    // The process is sandboxed already, or the user allowed it.
    const { containment: _, ...verdict } = await this.judgeCommand(command, { command }, shellFacts);
    // `git log` only reads, but its pager runs what is typed after `!`.
    const isHeuristic = verdict.decision === ALLOW && verdict.rule?.decision === ASK_USER;
    return isHeuristic && /\bgit\b/.test(command)
      ? ask('A pager may run what is typed.', verdict.rule)
      : verdict;
  }

  private isEdit(toolName: string): boolean {
    return toolName === WRITE_FILE || toolName === REPLACE || this.session.kindOf(toolName) === Kind.Edit;
  }

  /** Files in `.gemini` decide what the agent may do, so every edit of them asks. */
  private touchesProgramSettings({ file_path: path }: Arguments): boolean {
    if (typeof path !== 'string') return false;
    const { projectTempDir, resolvePath } = this.session;
    const real = realPathOf(resolvePath(path));
    if (projectTempDir && isInside(real, realPathOf(projectTempDir))) return false;
    const namesProgramFolder = (text: string) =>
      text.split(/[\\/]+/).some((name) => name.toLowerCase() === '.gemini');
    return namesProgramFolder(path) || namesProgramFolder(real);
  }
}
