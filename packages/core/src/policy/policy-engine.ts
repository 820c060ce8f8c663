/** Decides whether a call runs, asks or is refused: by approval mode and the tool's kind. */
import { FatalConfigError } from '../base/errors.js';
import type { DecisionContext, DecisionSource, Verdict } from '../bus/message-bus.js';
import { ApprovalMode, PolicyDecision, type UpdatePolicy } from '../protocol/confirmation.js';
import type { FunctionCall } from '../protocol/messages.js';
import { Kind } from '../protocol/tool-declaration.js';
import { canonicalToolName, WRITE_TODOS } from '../protocol/tool-names.js';

/** What comes from the settings and may change in a running session. */
export interface PolicyLists {
  /** Run without asking (`--allowed-tools`). */
  allowedTools?: readonly string[];
  excludedTools?: readonly string[];
  /** An administrator may forbid both. */
  disableYoloMode?: boolean;
  disableAlwaysAllow?: boolean;
}

export interface PolicyOptions extends PolicyLists {
  approvalMode: ApprovalMode;
  /** False: nobody can answer, so asking is refusing. */
  interactive: boolean;
  /** Absent: trusted. */
  isTrusted?: () => boolean;
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

const YOLO_DISABLED = 'Yolo mode is switched off by security.disableYoloMode.';

/** Harmless though their kind does not say so. */
const ALWAYS_ALLOWED = new Set<string>([WRITE_TODOS]);

export class PolicyEngine implements DecisionSource {
  private lists: PolicyLists;
  private allowed = new Set<string>();
  private excluded = new Set<string>();
  /** "Always" answers of this session. */
  private readonly remembered = new Set<string>();
  private mode: ApprovalMode;

  constructor(private readonly options: PolicyOptions) {
    this.mode = options.approvalMode;
    this.lists = options;
    this.configure(options);
    if (options.approvalMode === ApprovalMode.YOLO && options.disableYoloMode) {
      throw new FatalConfigError(YOLO_DISABLED);
    }
    if (!this.isTrusted()) this.dropPrivileges();
  }

  configure(lists: PolicyLists): void {
    this.lists = lists;
    this.allowed = new Set(lists.allowedTools?.map(canonicalToolName));
    this.excluded = new Set(lists.excludedTools?.map(canonicalToolName));
    if (lists.disableAlwaysAllow) this.remembered.clear();
  }

  getApprovalMode(): ApprovalMode {
    return this.mode;
  }

  /** @throws when the folder or an administrator does not allow this mode */
  setApprovalMode(mode: ApprovalMode): void {
    const isPrivileged = mode === ApprovalMode.YOLO || mode === ApprovalMode.AUTO_EDIT;
    if (isPrivileged && !this.isTrusted()) {
      throw new Error('Cannot enable privileged approval modes in an untrusted folder.');
    }
    if (mode === ApprovalMode.YOLO && this.lists.disableYoloMode) {
      throw new Error(YOLO_DISABLED);
    }
    this.mode = mode;
  }

  /** To be called when trust was taken back: what it allowed ends with it. */
  dropPrivileges(): void {
    this.remembered.clear();
    if (this.mode !== ApprovalMode.PLAN) this.mode = ApprovalMode.DEFAULT;
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
    const isWholeTool = update.commandPrefix === undefined && update.argsPattern === undefined;
    if (isWholeTool && this.isTrusted() && !this.lists.disableAlwaysAllow) {
      this.remembered.add(canonicalToolName(update.toolName));
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
    if (this.mode !== ApprovalMode.PLAN && this.isAllowedByName(toolName)) return ALLOW;
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

  /** Lists of names skip questions only where the folder is trusted. */
  private isAllowedByName(toolName: string): boolean {
    return this.isTrusted() && (this.allowed.has(toolName) || this.remembered.has(toolName));
  }

  private isTrusted(): boolean {
    return this.options.isTrusted?.() ?? true;
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
