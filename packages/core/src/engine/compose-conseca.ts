/** The checker `conseca` of a project: follows what the user asks for; what judges is loaded with the first call. */
import { Late } from '../base/late.js';
import type { EventStream } from '../bus/event-stream.js';
import type { UtilityModel } from '../model/utility-model.js';
import type { Conseca } from '../policy/checkers/conseca/conseca.js';
import type { Task } from '../policy/checkers/conseca/questions.js';
import type { CheckerHost } from '../policy/checkers/runner.js';
import { isMainAgent } from '../protocol/agent-events.js';
import { textOf } from '../protocol/messages.js';
import { noTelemetry, type TelemetryRecorder } from '../telemetry/record.js';
import type { AnyDeclarativeTool } from '../tools/tools.js';

export interface ConsecaParts {
  events: EventStream;
  utility: UtilityModel;
  recorder: TelemetryRecorder | undefined;
  notice: (message: string) => void;
}

/** What the main agent brings once it is there. */
export interface JudgedAgent {
  tools: () => readonly AnyDeclarativeTool[];
  model: () => string;
}

export interface TaskJudge {
  judge: NonNullable<CheckerHost['judgeTask']>;
  agent: Late<JudgedAgent>;
  close(): void;
}

export function composeConseca({ events, utility, recorder = noTelemetry, notice }: ConsecaParts): TaskJudge {
  const agent = new Late<JudgedAgent>('The main agent');
  let task: Task | undefined;
  let conseca: Promise<Conseca> | undefined;
  const close = events.subscribe(
    (event) => {
      if (!isMainAgent(event.agent)) return;
      if (event.type === 'turn_started') {
        task = { promptId: event.promptId, words: event.typed ?? textOf(event.parts) };
      } else if (event.type === 'steered' && task) {
        task = { ...task, words: `${task.words}\n\n${event.text}` };
      } else if (event.type === 'turn_finished') task = undefined;
    },
    { content: false },
  );
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
      return (await conseca).judge(task, call, signal);
    },
    agent,
    close,
  };
}

/** Descriptions of our own tools only: the text of a server must not write the policy. */
function summaryOf({ name, description, serverName }: AnyDeclarativeTool) {
  return serverName === undefined ? { name, description } : { name };
}
