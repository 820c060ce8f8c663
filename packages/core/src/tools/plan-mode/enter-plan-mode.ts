/** `enter_plan_mode`: the model asks to plan first; nothing is changed until the user approves a plan. */
import { mkdirSync } from 'node:fs';
import { messageOf } from '../../base/errors.js';
import type { MessageBus } from '../../bus/message-bus.js';
import { ApprovalMode, type ToolInfoConfirmationDetails } from '../../protocol/confirmation.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, Kind, type ToolResult, toolFailure } from '../tools.js';
import prose from './enter-plan-mode.md';
import type { PlanHost } from './plan-host.js';

export interface EnterPlanModeParams {
  reason?: string;
}

const WHAT_IT_MEANS =
  'Plan mode: the model reads and writes a plan. Nothing is changed until you approve it.';

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { reason: { type: 'string' } },
  additionalProperties: false,
});

export class EnterPlanModeTool extends BaseDeclarativeTool<EnterPlanModeParams, ToolResult> {
  static readonly Name = 'enter_plan_mode';

  constructor(
    private readonly host: PlanHost,
    messageBus: MessageBus,
  ) {
    super(EnterPlanModeTool.Name, 'Enter Plan Mode', description, Kind.Plan, schema, messageBus);
  }

  protected createInvocation(...call: InvocationArguments<EnterPlanModeParams>) {
    return new EnterPlanModeInvocation(this.host, ...call);
  }
}

class EnterPlanModeInvocation extends HostedInvocation<PlanHost, EnterPlanModeParams> {
  getDescription(): string {
    return this.params.reason?.trim() || 'Plan before anything is changed';
  }

  protected override async getConfirmationDetails(): Promise<ToolInfoConfirmationDetails> {
    const reason = this.params.reason?.trim();
    return {
      type: 'info',
      title: 'Enter Plan Mode',
      prompt: reason ? `${WHAT_IT_MEANS}\n\n${reason}` : WHAT_IT_MEANS,
      onConfirm: (outcome) => this.publishPolicyUpdate(outcome),
    };
  }

  protected async run(): Promise<ToolResult> {
    const { host } = this;
    if (host.getApprovalMode() === ApprovalMode.PLAN)
      return toolFailure('You are in plan mode already.', ToolErrorType.EXECUTION_FAILED);
    const directory = host.getPlansDirectory();
    try {
      if (directory) mkdirSync(directory, { recursive: true });
    } catch (error) {
      const message = `The folder for plans cannot be made: ${messageOf(error)}`;
      return toolFailure(message, ToolErrorType.EXECUTION_FAILED);
    }
    host.setApprovalMode(ApprovalMode.PLAN);
    const where = directory ? ` Write the plan as a Markdown file in ${directory}.` : '';
    return { llmContent: `Switching to Plan mode.${where}`, returnDisplay: 'Switching to Plan mode.' };
  }
}
