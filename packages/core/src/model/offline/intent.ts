/**
 * What an intent is: a rule that recognises a clause of the user's prompt, and the steps that serve it.
 * Steps are a generator: it yields the calls it wants, is given their outcomes, and returns the answer.
 * The guide keeps no state: each turn runs the generator again over the outcomes found in the history.
 */
import type { Clause } from './clause.js';

export interface ToolCall {
  name: string;
  args: Record<string, unknown>;
}

/** The result of a call: the text for the model, or the error. */
export interface Outcome {
  ok: boolean;
  text: string;
  /** After "cancelled" nothing more is done. */
  refusal?: 'cancelled' | 'denied';
}

export interface Answer {
  markdown: string;
  ok: boolean;
}

export type Steps<T = Answer> = Generator<ToolCall[], T, Outcome[]>;

/** Which tools were offered in this turn. */
export interface Toolbox {
  has(name: string): boolean;
}

export interface Intent {
  kind: string;
  details: object;
  /** Changes something: not started after an earlier step failed. */
  mutates: boolean;
  /** For intents that end in literal text: whether this separator belongs to it. */
  keeps(separator: string): boolean;
  /** The file or text that "it" means in the next clause. */
  path?: string;
  text?: string;
  /** Rules are light; the code of a heavier intent is loaded when needed. */
  steps(tools: Toolbox): Steps | Promise<Steps>;
}

export interface IntentFamily {
  kind: string;
  recognise(clause: Clause): Intent | undefined;
}

export interface FamilyRules<D extends object> {
  kind: string;
  match(clause: Clause): D | undefined;
  steps(details: D, tools: Toolbox): Steps | Promise<Steps>;
  mutates?: boolean;
  keeps?(details: D, separator: string): boolean;
  path?(details: D): string | undefined;
  text?(details: D): string | undefined;
}

export function defineFamily<D extends object>(rules: FamilyRules<D>): IntentFamily {
  return {
    kind: rules.kind,
    recognise(clause) {
      const details = rules.match(clause);
      if (!details) return undefined;
      return {
        kind: rules.kind,
        details,
        mutates: rules.mutates ?? false,
        keeps: (separator) => rules.keeps?.(details, separator) ?? false,
        path: rules.path?.(details),
        text: rules.text?.(details),
        steps: (tools) => rules.steps(details, tools),
      };
    },
  };
}

/** One call and its outcome. */
export function* ask(call: ToolCall): Steps<Outcome> {
  const [outcome] = yield [call];
  return outcome ?? NO_OUTCOME;
}

/** Several independent calls in one turn; outcomes in their order. */
export function* askAll(calls: ToolCall[]): Steps<Outcome[]> {
  if (calls.length === 0) return [];
  const outcomes = yield calls;
  return calls.map((_, index) => outcomes[index] ?? NO_OUTCOME);
}

const NO_OUTCOME: Outcome = { ok: false, text: 'The tool gave no result.' };

export function done(markdown: string): Answer {
  return { markdown, ok: true };
}

export function failed(markdown: string): Answer {
  return { markdown, ok: false };
}
