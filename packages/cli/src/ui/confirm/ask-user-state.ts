/** The state of the answers to the model's questions: pure steps from key to state. */
import { isCommand } from '../keys/bindings.js';
import type { InputEvent, Key } from '../keys/key.js';
import { letterOf } from '../keys/key-scope.js';
import type { DetailsOf } from './props.js';

export type Question = DetailsOf<'ask_user'>['questions'][number];

export interface Given {
  /** The selected entry. */
  index: number;
  /** Ticked entries; at most one in a single choice. */
  ticked: readonly number[];
  /** The user's own answer. */
  own: string;
  isDone: boolean;
}

export interface AskState {
  /** Index of the question; the review page follows the last one. */
  page: number;
  given: readonly Given[];
}

export type Entry = 'option' | 'all' | 'own' | 'done';

export function emptyAnswers(questions: readonly Question[]): AskState {
  return { page: 0, given: questions.map(() => ({ index: 0, ticked: [], own: '', isDone: false })) };
}

export function optionsOf({ type, options }: Question): readonly { label: string; description: string }[] {
  if (type === 'yesno') return YES_NO;
  return type === 'text' ? [] : (options ?? []);
}

const YES_NO = [
  { label: 'Yes', description: '' },
  { label: 'No', description: '' },
];

/** The entries, in order. */
export function entriesOf(question: Question): Entry[] {
  const options = optionsOf(question).map((): Entry => 'option');
  if (question.type === 'text' || options.length === 0) return ['own'];
  if (question.isClosed) return isMulti(question) ? [...options, 'all', 'done'] : options;
  return isMulti(question) ? [...options, 'all', 'own', 'done'] : [...options, 'own'];
}

export function isMulti({ multiSelect, type }: Question): boolean {
  return multiSelect === true && (type ?? 'choice') === 'choice';
}

/** By question number; skipped questions are missing. */
export function answersOf(state: AskState, questions: readonly Question[]): Record<string, string> {
  return Object.fromEntries(
    questions.flatMap((question, at) => {
      const text = answerText(question, state.given[at]);
      return text === undefined ? [] : [[String(at), text]];
    }),
  );
}

export function answerText(question: Question, given: Given | undefined): string | undefined {
  if (!given?.isDone) return undefined;
  const options = optionsOf(question);
  const labels = given.ticked.flatMap((index) => options[index]?.label ?? []);
  const own = given.own.trim();
  const isOwn = labels.length === 0 || isMulti(question);
  return [...labels, ...(isOwn && own ? [own] : [])].join(', ');
}

export interface AskStep {
  state: AskState;
  /** True when all questions are answered or skipped. */
  isDone: boolean;
}

/** Undefined: the key is not used. Typing an own answer goes to its field (`withOwn`). */
export function askKey(state: AskState, key: Key, questions: readonly Question[]): AskStep | undefined {
  const pages = questions.length > 1 ? questions.length + 1 : 1;
  const question = questions[state.page];
  const given = state.given[state.page];
  const isTyping = question && given && entriesOf(question)[given.index] === 'own';
  const turn = pageTurn(key, Boolean(isTyping));
  if (turn !== 0 && pages > 1) return still({ ...state, page: (state.page + turn + pages) % pages });
  if (!question || !given) return isCommand(key, 'basic.confirm') ? { state, isDone: true } : undefined;
  const next = givenKey(given, key, question);
  if (!next) return undefined;
  const changed = { ...state, given: state.given.map((old, at) => (at === state.page ? next.given : old)) };
  if (!next.isDone) return still(changed);
  return pages === 1 ? { state: changed, isDone: true } : still({ ...changed, page: state.page + 1 });
}

export function withOwn(state: AskState, own: string): AskState {
  return { ...state, given: state.given.map((old, at) => (at === state.page ? { ...old, own } : old)) };
}

/** Space ticks an entry in a list of several answers. */
export function ticks({ page }: AskState, event: InputEvent, questions: readonly Question[]): boolean {
  const question = questions[page];
  return question !== undefined && isMulti(question) && event.kind === 'key' && letterOf(event) === ' ';
}

function still(state: AskState): AskStep {
  return { state, isDone: false };
}

function pageTurn(key: Key, isTyping: boolean): number {
  if (isCommand(key, 'nav.dialog.next')) return 1;
  if (isCommand(key, 'nav.dialog.previous')) return -1;
  if (isTyping) return 0;
  if (isCommand(key, 'cursor.right')) return 1;
  return isCommand(key, 'cursor.left') ? -1 : 0;
}

interface GivenStep {
  given: Given;
  isDone: boolean;
}

function givenKey(given: Given, key: Key, question: Question): GivenStep | undefined {
  const entries = entriesOf(question);
  const isTyping = entries[given.index] === 'own';
  const digit = isTyping ? Number.NaN : Number(letterOf(key) || Number.NaN);
  if (digit >= 1 && digit <= entries.length) return pick({ ...given, index: digit - 1 }, question);
  if (isCommand(key, 'basic.confirm')) return pick(given, question);
  const isUp = isCommand(key, isTyping ? 'nav.up' : 'nav.dialog.up');
  if (isUp || isCommand(key, isTyping ? 'nav.down' : 'nav.dialog.down')) {
    const index = (given.index + (isUp ? -1 : 1) + entries.length) % entries.length;
    return { given: { ...given, index }, isDone: false };
  }
  return !isTyping && letterOf(key) === ' ' && isMulti(question) ? pick(given, question) : undefined;
}

function pick(given: Given, question: Question): GivenStep {
  const entry = entriesOf(question)[given.index];
  const count = optionsOf(question).length;
  const hasOwn = given.own.trim() !== '';
  const ended = (ticked: readonly number[]): GivenStep => ({
    given: { ...given, ticked, isDone: true },
    isDone: true,
  });
  if (!isMulti(question)) {
    if (entry === 'option') return ended([given.index]);
    return hasOwn ? ended([]) : { given, isDone: false };
  }
  switch (entry) {
    case 'option': {
      const isOn = given.ticked.includes(given.index);
      const rest = given.ticked.filter((index) => index !== given.index);
      const ticked = isOn ? rest : [...rest, given.index].sort((a, b) => a - b);
      return { given: { ...given, ticked }, isDone: false };
    }
    case 'all': {
      const isAll = given.ticked.length === count;
      const ticked = isAll ? [] : Array.from({ length: count }, (_, index) => index);
      return { given: { ...given, ticked }, isDone: false };
    }
    default:
      // Without a tick and without text there is no answer.
      return given.ticked.length > 0 || hasOwn ? ended(given.ticked) : { given, isDone: false };
  }
}
