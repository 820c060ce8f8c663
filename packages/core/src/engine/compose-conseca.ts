/** The checker `conseca` of a project: follows what the user asks for; the judging model is loaded with the first call. */
import { Late } from '../base/late.js';
import type { EventStream } from '../bus/event-stream.js';
import type { UtilityModel } from '../model/utility/utility-model.js';
import type { Conseca } from '../policy/checkers/conseca/conseca.js';
import type { Task } from '../policy/checkers/conseca/questions.js';
import type { CheckerHost } from '../policy/checkers/runner.js';
import { type AgentEvent, isMainAgent } from '../protocol/agent-events.js';
import { textOf } from '../protocol/messages.js';
import type { TelemetryRecorder } from '../telemetry/record.js';
import type { AnyDeclarativeTool } from '../tools/tools.js';

export interface ConsecaParts {
  events: EventStream;
  utility: UtilityModel;
  recorder: TelemetryRecorder;
  notice: (message: string) => void;
}

/** Set by the main agent once it exists. */
export interface JudgedAgent {
  tools: () => readonly AnyDeclarativeTool[];
  model: () => string;
}

export interface TaskJudge {
  judge: NonNullable<CheckerHost['judgeTask']>;
  agent: Late<JudgedAgent>;
  close(): void;
}

export function composeConseca({ events, utility, recorder, notice }: ConsecaParts): TaskJudge {
  const agent = new Late<JudgedAgent>('The main agent');
  const asked = new AskedFor();
  let conseca: Promise<Conseca> | undefined;
  const close = events.subscribe((event) => asked.follow(event), { content: false });
  const make = async () => {
    const { Conseca } = await import('../policy/checkers/conseca/conseca.js');
    return new Conseca({
      utility,
      recorder,
      notice,
      mainModel: () => agent.ifSet?.model(),
      tools: () => (agent.ifSet?.tools() ?? []).map(summaryOf),
    });
  };
  return {
    judge: async (call, signal) => {
      conseca ??= make();
      return (await conseca).judge(asked.task, call, signal);
    },
    agent,
    close,
  };
}

/** What the user asked for in the running request: typed text only, steering included. */
class AskedFor {
  task: Task | undefined;
  private lastRequest = '';
  /** Front ends send the end of a background command like a prompt; its output is not the user's request. */
  private readonly injected: string[] = [];

  follow(event: AgentEvent): void {
    if (event.type === 'background_completed') this.injected.push(event.text);
    if (!isMainAgent(event.agent)) return;
    if (event.type === 'turn_started') {
      // A message the user did not write keeps the user's last request.
      this.lastRequest = this.ownWords(event.typed ?? textOf(event.parts)) || this.lastRequest;
      this.task = { promptId: event.promptId, words: this.lastRequest };
    } else if (event.type === 'steered' && this.task) {
      this.lastRequest = [this.lastRequest, this.ownWords(event.text)].filter(Boolean).join('\n\n');
      this.task = { ...this.task, words: this.lastRequest };
    } else if (event.type === 'turn_finished') this.task = undefined;
  }

  private ownWords(text: string): string {
    return this.injected.reduce((rest, output) => rest.replaceAll(output, ''), text).trim();
  }
}

/** Only built-in tools are described: a server's text must not shape the policy. */
function summaryOf({ name, description, serverName }: AnyDeclarativeTool) {
  return serverName === undefined ? { name, description } : { name };
}
