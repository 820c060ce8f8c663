/** Asks a model from time to time whether a long run still makes progress (`llm_detected_loop`). */
import { messageOf } from '../../base/errors.js';
import type { UtilityModel } from '../../model/utility/utility-model.js';
import { createLog } from '../../platform/log.js';
import type { Message } from '../../protocol/messages.js';
import type { TelemetryRecorder } from '../../telemetry/record.js';
import { type LoopFinding, quote } from '../loop-detection.js';
import { shorten, transcribe } from '../transcript.js';
import instruction from './model-judge.md';

const log = createLog('loops');

/** Turns before the first loop check. */
const QUIET_TURNS = 30;
const FIRST_INTERVAL = 10;
const HISTORY_ITEMS = 20;
const CERTAIN = 0.9;
const REQUEST_LENGTH = 4_000;

const SCHEMA = {
  type: 'object',
  properties: {
    unproductive_state_analysis: { type: 'string' },
    unproductive_state_confidence: { type: 'number', minimum: 0, maximum: 1 },
  },
  required: ['unproductive_state_analysis', 'unproductive_state_confidence'],
};

interface Verdict {
  analysis: string;
  confidence: number;
}

export class ModelJudge {
  private request = '';
  private judgedAt = 0;
  private interval = FIRST_INTERVAL;

  constructor(
    private readonly utility: UtilityModel,
    private readonly mainModel: () => string,
    private readonly recorder: TelemetryRecorder,
  ) {}

  /** @param request what the user asked for */
  startPrompt(request: string): void {
    this.request = request;
    this.judgedAt = 0;
    this.interval = FIRST_INTERVAL;
  }

  /** @param turn counts from 1 within the prompt */
  async afterTurn(
    turn: number,
    history: readonly Message[],
    promptId: string,
    signal: AbortSignal,
  ): Promise<LoopFinding | undefined> {
    if (turn <= QUIET_TURNS || turn - this.judgedAt < this.interval) return undefined;
    this.judgedAt = turn;
    try {
      const verdict = await this.judge(history, promptId, signal);
      this.interval = Math.round(5 + 10 * (1 - verdict.confidence));
      if (verdict.confidence < CERTAIN) return undefined;
      const detail = `the last steps brought nothing new ("${quote(verdict.analysis)}")`;
      return { type: 'llm_detected_loop', detail, count: turn };
    } catch (error) {
      // A failed judgement never stops the run.
      log.debug('no judgement', { error: messageOf(error) });
      return undefined;
    }
  }

  /** A small model judges first; when it is certain, a larger one must confirm. */
  private async judge(history: readonly Message[], promptId: string, signal: AbortSignal): Promise<Verdict> {
    const question = this.question(history);
    const ask = (alias: string) => this.ask(alias, question, promptId, signal);
    const first = await ask('loop-detection');
    const second = first.confidence < CERTAIN ? undefined : await ask('loop-detection-double-check');
    this.recorder.event('gemini_cli.llm_loop_check', {
      prompt_id: promptId,
      flash_confidence: first.confidence,
      main_model: this.mainModel(),
      main_model_confidence: second?.confidence,
    });
    return second ?? first;
  }

  private async ask(
    alias: string,
    question: Message,
    promptId: string,
    signal: AbortSignal,
  ): Promise<Verdict> {
    const answer = await this.utility.generateJson(
      {
        alias,
        role: 'utility_loop_detector',
        promptId,
        messages: [question],
        systemInstruction: instruction,
        mainModel: this.mainModel(),
        schema: SCHEMA,
      },
      signal,
    );
    return {
      analysis: String(answer['unproductive_state_analysis']),
      confidence: Number(answer['unproductive_state_confidence']),
    };
  }

  private question(history: readonly Message[]): Message {
    const request = shorten(this.request, REQUEST_LENGTH);
    const steps = transcribe(history.slice(-HISTORY_ITEMS));
    const text = `<request>\n${request}\n</request>\n\n<last_steps>\n${steps}</last_steps>`;
    return { role: 'user', origin: 'prompt', parts: [{ text }] };
  }
}
