/** Who speaks after an answer without calls: the user, or the model because it stopped short. */
import { messageOf } from '../../base/errors.js';
import type { UtilityModel } from '../../model/utility/utility-model.js';
import { createLog } from '../../platform/log.js';
import { type Message, type Part, textOf } from '../../protocol/messages.js';
import type { TelemetryRecorder } from '../../telemetry/record.js';
import { transcribe } from '../transcript.js';
import type { FinalAnswerCheck, FinalCall } from './final-answer-check.js';
import instruction from './next-speaker.md';

const log = createLog('next-speaker');

export type Speaker = 'user' | 'model';

/** Enough context to see what the last message answers. */
const HISTORY_ITEMS = 4;

const SCHEMA = {
  type: 'object',
  properties: {
    reasoning: { type: 'string' },
    next_speaker: { type: 'string', enum: ['user', 'model'] },
  },
  required: ['reasoning', 'next_speaker'],
};

/** Undefined: unknown; then the user speaks next. */
export async function nextSpeaker(
  history: readonly Message[],
  utility: UtilityModel,
  { promptId, model, signal }: { promptId: string; model: string; signal: AbortSignal },
): Promise<Speaker | undefined> {
  const last = history.at(-1);
  if (!last) return undefined;
  // The model got the results of its calls and returned nothing.
  if (last.origin === 'tool_response') return 'model';
  if (last.role !== 'model' || last.parts.some((part) => part.functionCall)) return undefined;
  if (textOf(last.parts).trim() === '') return 'model';
  try {
    const text = `<conversation>\n${transcribe(history.slice(-HISTORY_ITEMS))}</conversation>`;
    const answer = await utility.generateJson(
      {
        alias: 'next-speaker-checker',
        role: 'utility_next_speaker',
        promptId,
        messages: [{ role: 'user', origin: 'prompt', parts: [{ text }] }],
        systemInstruction: instruction,
        mainModel: model,
        schema: SCHEMA,
      },
      signal,
    );
    return answer['next_speaker'] === 'model' ? 'model' : 'user';
  } catch (error) {
    log.debug('no judgement', { error: messageOf(error) });
    return undefined;
  }
}

/** Lets a model continue that announced a step and did not take it. */
export class NextSpeakerCheck implements FinalAnswerCheck {
  readonly holdsBack = false;
  private silences = 0;

  constructor(
    private readonly utility: UtilityModel,
    private readonly recorder: TelemetryRecorder,
  ) {}

  opening(parts: Part[]): Part[] {
    this.silences = 0;
    return parts;
  }

  async after(history: readonly Message[], call: FinalCall): Promise<{ message: Message } | undefined> {
    const saidNothing = history.at(-1)?.role !== 'model';
    this.silences = saidNothing ? this.silences + 1 : 0;
    // A model that has nothing to add is asked once, not again and again.
    if (this.silences > 1) return undefined;
    const result = await nextSpeaker(history, this.utility, call);
    this.recorder.event('gemini_cli.next_speaker_check', {
      prompt_id: call.promptId,
      finish_reason: call.finishReason,
      result: result ?? '',
    });
    if (result !== 'model') return undefined;
    return { message: { role: 'user', origin: 'correction', parts: [{ text: 'Please continue.' }] } };
  }
}
