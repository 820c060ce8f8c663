/** Decides whether a call runs, asks or is refused: by approval mode and the tool's kind. */
import type { DecisionContext, DecisionSource, Verdict } from '../bus/message-bus.js';
import { ApprovalMode, PolicyDecision, type UpdatePolicy } from '../protocol/confirmation.js';
import type { FunctionCall } from '../protocol/messages.js';
import { Kind } from '../protocol/tool-declaration.js';
import { canonicalToolName, WRITE_TODOS } from '../protocol/tool-names.js';

export interface PolicyOptions {
  approvalMode: ApprovalMode;
  /** False: nobody can answer, so asking is refusing. */
  interactive: boolean;
  /** Run without asking (`--allowed-tools`). */
  allowedTools?: readonly string[];
  excludedTools?: readonly string[];
  /** The kind of a registered tool. */
  kindOf: (toolName: string) => Kind | undefined;
}

const { ALLOW, DENY, ASK_USER } = PolicyDecision;

/** One row per kind: what happens in the modes default, autoEdit and plan. Yolo allows all. */
const BY_KIND: Record<Kind, [normal: PolicyDecision, autoEdit: PolicyDecision, plan: PolicyDecision]> = {
  [Kind.Read]: [ALLOW, ALLOW, ALLOW],
  [Kind.Search]: [ALLOW, ALLOW, ALLOW],
  [Kind.Think]: [ALLOW, ALLOW, ALLOW],
  [Kind.Agent]: [ALLOW, ALLOW, ALLOW],
  [Kind.Edit]: [ASK_USER, ALLOW, DENY],
  [Kind.Delete]: [ASK_USER, ASK_USER, DENY],
  [Kind.Move]: [ASK_USER, ASK_USER, DENY],
  [Kind.Execute]: [ASK_USER, ASK_USER, DENY],
  [Kind.Fetch]: [ASK_USER, ALLOW, ASK_USER],
  [Kind.Communicate]: [ASK_USER, ASK_USER, ASK_USER],
  [Kind.Plan]: [ASK_USER, ASK_USER, ASK_USER],
  [Kind.SwitchMode]: [ASK_USER, ASK_USER, ASK_USER],
  [Kind.Other]: [ASK_USER, ASK_USER, DENY],
};

/** Harmless though their kind does not say so. */
const ALWAYS_ALLOWED = new Set<string>([WRITE_TODOS]);

export class PolicyEngine implements DecisionSource {
  private readonly allowed: Set<string>;
  private readonly excluded: Set<string>;
  private mode: ApprovalMode;

  constructor(private readonly options: PolicyOptions) {
    this.mode = options.approvalMode;
    this.allowed = new Set(options.allowedTools?.map(canonicalToolName));
    this.excluded = new Set(options.excludedTools?.map(canonicalToolName));
  }

  getApprovalMode(): ApprovalMode {
    return this.mode;
  }

  setApprovalMode(mode: ApprovalMode): void {
    this.mode = mode;
  }

  async check(call: FunctionCall, _context: DecisionContext = {}): Promise<Verdict> {
    return this.judge(canonicalToolName(call.name), call.args);
  }

  async evaluate(call: FunctionCall): Promise<PolicyDecision> {
    return this.judge(canonicalToolName(call.name), call.args).decision;
  }

  /** True when no call of this tool could ever run now: then it is not offered to the model. */
  isAlwaysDenied(toolName: string): boolean {
    return this.judge(canonicalToolName(toolName)).decision === DENY;
  }

  /**
   * "Always" for this session. An answer narrowed to a command or path is left as a single yes: matching
   * it safely needs the shell parser.
   */
  applyUpdate(update: UpdatePolicy): void {
    if (update.commandPrefix === undefined && update.argsPattern === undefined) {
      this.allowed.add(canonicalToolName(update.toolName));
    }
  }

  private judge(toolName: string, args: Record<string, unknown> = {}): Verdict {
    const decision = this.decisionFor(toolName, args);
    if (decision === DENY) return { decision, reason: this.denialReason(toolName) };
    if (decision === ASK_USER && !this.options.interactive) {
      return { decision: DENY, reason: this.headlessReason(toolName) };
    }
    return { decision };
  }

  private decisionFor(toolName: string, args: Record<string, unknown>): PolicyDecision {
    if (this.excluded.has(toolName)) return DENY;
    if (this.allowed.has(toolName) && this.mode !== ApprovalMode.PLAN) return ALLOW;
    if (ALWAYS_ALLOWED.has(toolName)) return ALLOW;
    const kind = this.options.kindOf(toolName) ?? Kind.Other;
    const [normal, autoEdit, plan] = BY_KIND[kind];
    switch (this.mode) {
      case ApprovalMode.YOLO:
        return kind === Kind.Communicate ? ASK_USER : ALLOW;
      case ApprovalMode.AUTO_EDIT:
        return kind === Kind.Edit && touchesOurSettings(args) ? ASK_USER : autoEdit;
      case ApprovalMode.PLAN:
        return plan;
      default:
        return normal;
    }
  }

  private denialReason(toolName: string): string {
    if (this.excluded.has(toolName)) return `The user excluded the tool "${toolName}".`;
    return `"${toolName}" may not run in plan mode: read and plan only.`;
  }

  private headlessReason(toolName: string): string {
    return (
      `"${toolName}" needs the user's approval, and nobody can give it in a headless run. Go on without it, ` +
      'or tell the user to run again with --approval-mode auto_edit (edits) or yolo (everything).'
    );
  }
}

/** Settings, hooks and policies of a project decide what we may do: no edit of them goes unseen. */
function touchesOurSettings({ file_path: path }: Record<string, unknown>): boolean {
  return typeof path === 'string' && path.split(/[\\/]+/).some((name) => name.toLowerCase() === '.gemini');
}
