/** The engine's questions become permission requests; every way a request can end answers or ends the question. */
import type { PermissionOption, ToolCallUpdate } from '@agentclientprotocol/sdk';
import {
  ApprovalMode,
  createLog,
  type EventStream,
  type ModelFallbackQuestion,
  type Question,
  randomUuid,
  ToolConfirmationOutcome,
  type ToolConfirmationQuestion,
  type UserQuestion,
} from '@gemini-cli/core';
import { choiceOptions, outcomeOf, permissionOptions } from '../serialise/permission-options.js';
import { textContent } from '../serialise/tool-content.js';
import type { ClientPort } from './client-port.js';
import { answerElicitation } from './elicitation.js';
import type { ToolCalls } from './tool-calls.js';

export interface QuestionPorts {
  port: ClientPort;
  events: EventStream;
  toolCalls: () => ToolCalls;
  /** The client answered with "cancelled": the turn ends. */
  endTurn: () => void;
  /** The client fills in forms. */
  hasForms: boolean;
}

const { ProceedOnce, Cancel } = ToolConfirmationOutcome;
const log = createLog('acp');

export class SessionQuestions {
  private readonly open = new Map<string, AbortController>();

  constructor(private readonly ports: QuestionPorts) {}

  ask(id: string, question: Question): void {
    const controller = new AbortController();
    this.open.set(id, controller);
    this.answer(id, question, controller.signal)
      .catch((error: unknown) => {
        // A client that refuses the request, or answers with something else, has not agreed.
        if (!controller.signal.aborted) log.warn('The client could not answer a question.', error);
        this.ports.events.dismiss(id);
      })
      .finally(() => this.open.delete(id));
  }

  /** It was answered, or is not wanted any more. */
  settled(id: string): void {
    this.open.get(id)?.abort();
  }

  close(): void {
    for (const controller of this.open.values()) controller.abort();
  }

  private async answer(id: string, question: Question, signal: AbortSignal): Promise<void> {
    const { events } = this.ports;
    switch (question.kind) {
      case 'tool_confirmation':
        return this.confirm(id, question, signal);
      case 'ask_user': {
        const answers = await this.choices(question.questions, callFor('Question'), signal);
        if (answers) events.answer(id, { answers });
        else events.dismiss(id);
        return;
      }
      case 'model_fallback':
        return this.fallback(id, question, signal);
      case 'mcp_elicitation': {
        const answer = this.ports.hasForms
          ? await answerElicitation(this.ports.port, question, signal)
          : undefined;
        events.answer(id, answer ?? { action: 'decline' });
        return;
      }
      case 'workspace_policies':
        return this.yesOrNo(id, `Use the policies of this project? ${question.files.join(', ')}`, signal);
      case 'project_agents': {
        const names = question.agents.map(({ name }) => name).join(', ');
        return this.yesOrNo(id, `Enable the agents of this project? ${names}`, signal);
      }
      case 'folder_trust':
        return this.yesOrNo(id, `Trust the folder ${question.folder}?`, signal);
      case 'account_problem':
      case 'admin_changed':
        events.dismiss(id);
    }
  }

  private async confirm(id: string, question: ToolConfirmationQuestion, signal: AbortSignal): Promise<void> {
    const { port, events } = this.ports;
    const { digest, details } = question;
    const answer = (outcome: ToolConfirmationOutcome, payload?: Parameters<typeof payloadOf>[0]) =>
      events.answer(id, {
        outcome,
        ...(payload && { payload: payloadOf(payload) }),
        ...(digest !== undefined && { digest }),
      });
    if (!details) return void answer(Cancel);
    const callId = question.callId ?? randomUuid();
    const toolCall = this.ports.toolCalls().asked({ ...question, callId, details });
    if (details.type === 'ask_user') {
      const answers = await this.choices(details.questions, toolCall, signal);
      if (answers) answer(ProceedOnce, { answers });
      else
        answer(Cancel, { feedback: 'This editor can ask for one choice only. Ask in your answer instead.' });
      return;
    }
    const options = permissionOptions(details);
    const chosen = await port.askPermission(toolCall, options, signal);
    if (chosen === undefined) return this.cancelTurn(id, signal);
    const outcome = outcomeOf(chosen, options);
    const isPlan = details.type === 'exit_plan_mode' && outcome !== Cancel;
    answer(outcome, isPlan ? { approved: true } : undefined);
  }

  /** One request per question. @returns undefined where a request cannot express one of them, or none was answered */
  private async choices(
    questions: readonly UserQuestion[],
    toolCall: ToolCallUpdate,
    signal: AbortSignal,
  ): Promise<Record<string, string> | undefined> {
    const asked = questions.map((question) => ({ question, options: choiceOptions(question) }));
    if (asked.some(({ options }) => !options)) return undefined;
    const answers: Record<string, string> = {};
    for (const [index, { question, options = [] }] of asked.entries()) {
      const shown = { ...toolCall, title: question.question, content: textContent(describe(question)) };
      const chosen = await this.ports.port.askPermission(shown, options, signal);
      if (chosen === undefined) {
        this.ports.endTurn();
        return undefined;
      }
      const option = options.find(({ optionId }) => optionId === chosen);
      if (option && option.optionId !== Cancel) answers[String(index)] = option.name;
    }
    return answers;
  }

  private async fallback(id: string, { from, to, reason }: ModelFallbackQuestion, signal: AbortSignal) {
    const { port, events } = this.ports;
    if (to === undefined) return void events.dismiss(id);
    const options: PermissionOption[] = [
      { optionId: 'retry_always', name: `Use ${to} from now on`, kind: 'allow_always' },
      { optionId: 'retry_once', name: `Use ${to} for this prompt`, kind: 'allow_once' },
      { optionId: 'stop', name: 'Stop', kind: 'reject_once' },
    ];
    const chosen = await port.askPermission(callFor(`${from} does not answer`, reason), options, signal);
    if (chosen === undefined) return this.cancelTurn(id, signal);
    events.answer(id, chosen === 'retry_always' || chosen === 'retry_once' ? chosen : 'stop');
  }

  private async yesOrNo(id: string, title: string, signal: AbortSignal): Promise<void> {
    const chosen = await this.ports.port.askPermission(callFor(title), YES_OR_NO, signal);
    this.ports.events.answer(id, chosen === ProceedOnce);
  }

  private cancelTurn(id: string, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.ports.endTurn();
    this.ports.events.dismiss(id);
  }
}

export const YES_OR_NO: PermissionOption[] = [
  { optionId: ProceedOnce, name: 'Allow', kind: 'allow_once' },
  { optionId: Cancel, name: 'Reject', kind: 'reject_once' },
];

/** A question that belongs to no call of the model. */
export function callFor(title: string, text = ''): ToolCallUpdate {
  return { toolCallId: randomUuid(), status: 'pending', kind: 'other', title, content: textContent(text) };
}

function payloadOf(given: { answers?: Record<string, string>; feedback?: string; approved?: true }) {
  // Back to asking: the user saw the plan, not the edits.
  return given.approved ? { approved: true, approvalMode: ApprovalMode.DEFAULT } : given;
}

function describe({ question, options = [] }: UserQuestion): string {
  return [question, ...options.map(({ label, description }) => `- ${label}: ${description}`)].join('\n');
}
