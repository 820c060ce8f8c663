/**
 * The checker `conseca`: for each prompt a model writes a policy of what the request needs, and judges each call by it.
 * It can only tighten: on any failure (no model, a timeout, an invalid answer, a budget used up) the call asks.
 */
import { createHash } from 'node:crypto';
import { isTimeout, messageOf } from '../../../base/errors.js';
import type { UtilityModel } from '../../../model/utility/utility-model.js';
import { PolicyDecision } from '../../../protocol/confirmation.js';
import { JsonText, type TelemetryRecorder } from '../../../telemetry/record.js';
import { allow, ask, deny, type PolicyVerdict } from '../../decision.js';
import { stableJson } from '../../rules/stable-json.js';
import {
  type JudgedCall,
  policyQuestion,
  type Task,
  type ToolSummary,
  verdictQuestion,
} from './questions.js';

export interface ConsecaOptions {
  utility: UtilityModel;
  /** The model of the conversation; used instead of the preset's when it is from another provider. */
  mainModel: () => string | undefined;
  tools: () => readonly ToolSummary[];
  recorder: TelemetryRecorder;
  notice: (message: string) => void;
  limits?: { policyMs: number; verdictMs: number };
}

/** Their sum stays below the time the bus waits for a policy decision. */
const LIMITS = { policyMs: 16_000, verdictMs: 12_000 };
/** After this many failures the other calls of a prompt ask at once instead of waiting for the model again. */
const MAX_FAILURES = 2;

interface Judgement {
  task: Task;
  policy: Promise<unknown> | undefined;
  failures: number;
  lastFailure: string;
  /** By digest of tool and arguments. */
  verdicts: Map<string, Promise<PolicyVerdict>>;
}

export class Conseca {
  private current: Judgement | undefined;
  private hasComplained = false;

  constructor(private readonly options: ConsecaOptions) {}

  /** @param task undefined: there is no prompt to judge the call by */
  async judge(task: Task | undefined, call: JudgedCall, signal: AbortSignal): Promise<PolicyVerdict> {
    if (!task || task.words.trim() === '') return ask('There is no prompt that this call can be judged by.');
    const judgement = this.judgementFor(task);
    const key = createHash('sha256')
      .update(`${call.name}\0${stableJson(call.args)}`)
      .digest('hex');
    const known = judgement.verdicts.get(key);
    if (known) return known;
    const verdict = this.verdict(judgement, call, signal);
    judgement.verdicts.set(key, verdict);
    try {
      return await verdict;
    } catch (error) {
      judgement.verdicts.delete(key);
      return this.unjudged(error, signal);
    }
  }

  /** A new prompt, or text the user added to it, gets a new policy. */
  private judgementFor(task: Task): Judgement {
    const { current } = this;
    if (current && current.task.promptId === task.promptId && current.task.words === task.words)
      return current;
    this.current = { task, policy: undefined, failures: 0, lastFailure: '', verdicts: new Map() };
    return this.current;
  }

  private async verdict(judgement: Judgement, call: JudgedCall, signal: AbortSignal): Promise<PolicyVerdict> {
    const { utility, mainModel, recorder, limits = LIMITS } = this.options;
    const { task } = judgement;
    const policy = await this.policyFor(judgement, signal);
    const record = { policy: JSON.stringify(policy), tool_call: call.name, user_prompt: task.words };
    try {
      const question = verdictQuestion(task, policy, call, mainModel());
      if (!question) return ask('The arguments are too long for the model that judges calls.');
      const answer = await utility.generateJson(question, bounded(signal, limits.verdictMs));
      const reason = String(answer['reason']);
      recorder.event('gemini_cli.conseca.verdict', {
        ...record,
        verdict: String(answer['decision']),
        verdict_rationale: reason,
      });
      return verdictOf(answer['decision'], reason);
    } catch (error) {
      recorder.event('gemini_cli.conseca.verdict', { ...record, verdict: 'error', error: messageOf(error) });
      throw error;
    }
  }

  /** Generated once per task; parallel calls wait for the same request. */
  private async policyFor(judgement: Judgement, signal: AbortSignal): Promise<unknown> {
    if (judgement.failures >= MAX_FAILURES) throw new Error(judgement.lastFailure);
    judgement.policy ??= this.makePolicy(judgement.task, signal);
    const { policy } = judgement;
    try {
      return await policy;
    } catch (error) {
      if (judgement.policy === policy) {
        judgement.policy = undefined;
        if (!signal.aborted) judgement.failures++;
        judgement.lastFailure = messageOf(error);
      }
      throw error;
    }
  }

  private async makePolicy(task: Task, signal: AbortSignal): Promise<unknown> {
    const { utility, tools, mainModel, recorder, limits = LIMITS } = this.options;
    const listed = tools();
    const record = { user_prompt: task.words, trusted_content: new JsonText(() => listed) };
    try {
      const question = policyQuestion(task, listed, mainModel());
      if (!question) throw new Error('the prompt is too long for the model that judges calls');
      const { tools: policy } = await utility.generateJson(question, bounded(signal, limits.policyMs));
      recorder.event('gemini_cli.conseca.policy_generation', { ...record, policy: JSON.stringify(policy) });
      return policy;
    } catch (error) {
      recorder.event('gemini_cli.conseca.policy_generation', { ...record, error: messageOf(error) });
      throw error;
    }
  }

  private unjudged(error: unknown, signal: AbortSignal): PolicyVerdict {
    const why = isTimeout(error) ? 'no answer in time' : messageOf(error);
    if (!this.hasComplained && !signal.aborted) {
      this.hasComplained = true;
      this.options.notice(
        `security.enableConseca: tool calls cannot be judged (${why}). Each call asks until they can.`,
      );
    }
    return ask(`The model that judges calls (security.enableConseca) could not judge this one: ${why}.`);
  }
}

/** Only "allow" leaves the decision of the rules unchanged. */
function verdictOf(decision: unknown, reason: string): PolicyVerdict {
  if (decision === PolicyDecision.ALLOW) return allow();
  if (decision === PolicyDecision.DENY) return deny(`Not what the user asked for: ${reason}`);
  return ask(`It may not be what you asked for: ${reason}`);
}

function bounded(signal: AbortSignal, limitMs: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
}
