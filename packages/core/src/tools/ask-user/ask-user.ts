/** `ask_user`: one to four questions of the model; the confirmation is the question, its payload the answer. */
import type { MessageBus } from '../../bus/message-bus.js';
import { PolicyDecision, type ToolAskUserConfirmationDetails } from '../../protocol/confirmation.js';
import { ASK_USER } from '../../protocol/tool-names.js';
import { describeTool } from '../describe-tool.js';
import { HostedInvocation, type InvocationArguments } from '../hosted-invocation.js';
import { ToolErrorType } from '../tool-error.js';
import { BaseDeclarativeTool, Kind, type ToolResult, toolFailure } from '../tools.js';
import prose from './ask-user.md';
import { ASK_USER_SCHEMA, type AskUserParams, questionProblem, shownQuestions } from './questions.js';

export interface AskUserHost {
  isInteractive(): boolean;
}

const { description, schema } = describeTool(prose, ASK_USER_SCHEMA);

export class AskUserTool extends BaseDeclarativeTool<AskUserParams, ToolResult> {
  static readonly Name = ASK_USER;

  constructor(
    private readonly host: AskUserHost,
    messageBus: MessageBus,
  ) {
    super(AskUserTool.Name, 'Ask User', description, Kind.Communicate, schema, messageBus);
  }

  protected override validateToolParamValues(params: AskUserParams): string | null {
    return questionProblem(params);
  }

  protected createInvocation(...call: InvocationArguments<AskUserParams>) {
    return new AskUserInvocation(this.host, ...call);
  }
}

class AskUserInvocation extends HostedInvocation<AskUserHost, AskUserParams> {
  /** By the index of the question. */
  private answers: Readonly<Record<string, unknown>> | undefined;

  getDescription(): string {
    return `Asking: ${this.params.questions.map(({ header }) => header).join(', ')}`;
  }

  /** A rule that allows the call cannot answer for the user. */
  protected override async getMessageBusDecision(
    abortSignal: AbortSignal,
    forcedDecision?: PolicyDecision,
  ): Promise<PolicyDecision> {
    const decision = await super.getMessageBusDecision(abortSignal, forcedDecision);
    const isFree = decision === PolicyDecision.ALLOW && this.host.isInteractive();
    return isFree ? PolicyDecision.ASK_USER : decision;
  }

  protected override async getConfirmationDetails(): Promise<ToolAskUserConfirmationDetails> {
    return {
      type: 'ask_user',
      title: 'Ask User',
      questions: shownQuestions(this.params),
      onConfirm: async (_outcome, payload) => {
        this.answers = payload?.answers ?? {};
      },
    };
  }

  protected async run(): Promise<ToolResult> {
    if (!this.answers)
      return toolFailure('No user can answer here. Decide yourself.', ToolErrorType.EXECUTION_FAILED);
    const { questions } = this.params;
    const given = questions.flatMap(({ header }, at) => {
      const answer = this.answers?.[String(at)];
      return typeof answer === 'string' ? [{ at, header, answer }] : [];
    });
    if (given.length === 0) {
      const none = 'The user did not answer the questions.';
      return { llmContent: none, returnDisplay: none };
    }
    const answers = Object.fromEntries(given.map(({ at, answer }) => [at, answer]));
    const lines = given.map(({ header, answer }) => `- ${header} → ${answer}`);
    return {
      llmContent: JSON.stringify({ answers }),
      returnDisplay: `**User answered:**\n${lines.join('\n')}`,
    };
  }
}
