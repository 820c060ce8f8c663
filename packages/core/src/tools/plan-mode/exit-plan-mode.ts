/** `exit_plan_mode`: shows the plan to the user, who approves it or says what to change. */
import type { MessageBus } from '../../bus/message-bus.js';
import {
  ApprovalMode,
  type ToolCallConfirmationDetails,
  type ToolConfirmationPayload,
} from '../../protocol/confirmation.js';
import { EXIT_PLAN_MODE } from '../../protocol/tool-names.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, Kind, type ToolLocation, type ToolResult, toolFailure } from '../tools.js';
import prose from './exit-plan-mode.md';
import { type FoundPlan, findPlan } from './plan-file.js';
import type { PlanHost } from './plan-host.js';

export interface ExitPlanModeParams {
  plan_filename: string;
}

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { plan_filename: { type: 'string' } },
  required: ['plan_filename'],
  additionalProperties: false,
});

export class ExitPlanModeTool extends BaseDeclarativeTool<ExitPlanModeParams, ToolResult> {
  static readonly Name = EXIT_PLAN_MODE;

  constructor(
    private readonly host: PlanHost,
    messageBus: MessageBus,
  ) {
    super(ExitPlanModeTool.Name, 'Exit Plan Mode', description, Kind.Plan, schema, messageBus);
  }

  /** `plan_path` is the older name. */
  protected override normalizeParams(
    params: ExitPlanModeParams & { plan_path?: unknown },
  ): ExitPlanModeParams {
    const { plan_path: path, ...rest } = params;
    if (typeof path !== 'string') return params;
    return { ...rest, plan_filename: rest.plan_filename ?? path };
  }

  protected createInvocation(...call: InvocationArguments<ExitPlanModeParams>) {
    return new ExitPlanModeInvocation(this.host, ...call);
  }
}

class ExitPlanModeInvocation extends HostedInvocation<PlanHost, ExitPlanModeParams> {
  /** Undefined when the user was not asked. */
  private answer: ToolConfirmationPayload | undefined;

  getDescription(): string {
    return `Plan: ${this.params.plan_filename}`;
  }

  override toolLocations(): ToolLocation[] {
    const found = this.find();
    return 'path' in found ? [{ path: found.path }] : [];
  }

  /** Without a plan the call fails. It is looked for this late because the call before may write it. */
  protected override async getConfirmationDetails(): Promise<ToolCallConfirmationDetails | false> {
    const found = this.find();
    if (!('path' in found)) return false;
    return {
      type: 'exit_plan_mode',
      title: 'Plan Approval',
      planPath: found.path,
      onConfirm: async (_outcome, payload) => {
        this.answer = payload ?? {};
      },
    };
  }

  protected async run(): Promise<ToolResult> {
    const { host, answer } = this;
    if (host.getApprovalMode() !== ApprovalMode.PLAN)
      return toolFailure('You are not in plan mode.', ToolErrorType.EXECUTION_FAILED);
    const found = this.find();
    if (!('path' in found)) return toolFailure(found.problem, found.type);
    if (answer?.approved === false) return rejected(answer.feedback);
    const mode = switchTo(this.nextMode(), host);
    host.setApprovedPlanPath(found.path);
    host.getTelemetry?.().event('gemini_cli.plan.execution', { approval_mode: mode });
    return {
      llmContent: `The plan is approved. You left plan mode; the approval mode is ${MODES[mode]}. The plan is in ${found.path}: carry it out now.`,
      returnDisplay: `Plan approved: ${found.path}`,
    };
  }

  private find(): FoundPlan {
    return findPlan(this.params.plan_filename, this.host.getPlansDirectory());
  }

  /** A headless run returns to the mode it was started in; otherwise the user has chosen one. */
  private nextMode(): ApprovalMode {
    const { host, answer } = this;
    if (answer)
      return answer.approvalMode === ApprovalMode.AUTO_EDIT ? ApprovalMode.AUTO_EDIT : ApprovalMode.DEFAULT;
    const before = host.isInteractive() ? undefined : host.getModeBeforePlan();
    return before ?? ApprovalMode.DEFAULT;
  }
}

const MODES: Record<ApprovalMode, string> = {
  [ApprovalMode.DEFAULT]: 'default (changes are asked about)',
  [ApprovalMode.AUTO_EDIT]: 'autoEdit (edits run without asking)',
  [ApprovalMode.YOLO]: 'yolo (nothing is asked)',
  [ApprovalMode.PLAN]: 'plan',
};

/** In an untrusted folder the mode is default, whatever the user chose. */
function switchTo(mode: ApprovalMode, host: PlanHost): ApprovalMode {
  try {
    host.setApprovalMode(mode);
  } catch {
    host.setApprovalMode(ApprovalMode.DEFAULT);
  }
  return host.getApprovalMode();
}

function rejected(feedback: string | undefined): ToolResult {
  const said = feedback?.trim();
  return {
    llmContent: `The plan is not approved; you are still in plan mode. ${
      said
        ? `The user says: ${said}\nChange the plan and call \`${EXIT_PLAN_MODE}\` again.`
        : 'Ask the user what to change.'
    }`,
    returnDisplay: said ? `Plan not approved: ${said}` : 'Plan not approved.',
  };
}
