/** Decides where keys go that the user types faster than the screen can change: see `TypeAhead` and `HeldKeys`. */
import { objectOf } from '@gemini-cli/core';
import type { DialogName } from '../../../commands/dialog-name.js';
import { isCommand } from '../../keys/bindings.js';
import type { InputEvent } from '../../keys/key.js';
import type { InputRouter } from '../../keys/router.js';
import type { UiState } from '../../store/state.js';
import type { Store } from '../../store/store.js';
import { isTooSmall } from '../screen/screen.js';
import { AnswerGuard, isMixedInput } from './answer-guard.js';
import { HeldKeys } from './held-keys.js';
import { TypeAhead } from './type-ahead.js';
import { watchQuestions } from './watch-questions.js';

export interface InputGatePorts {
  store: Store;
  router: InputRouter;
  now: () => number;
  composer: { handle(event: InputEvent): boolean; isEmpty(): boolean };
  /** A command has failed in a way it should not. */
  onFailure: (error: unknown) => void;
  /** Components have rendered the effect of the last key before the next one comes. */
  flush: () => void;
}

export class InputGate {
  private readonly typeAhead: TypeAhead;
  private readonly held: HeldKeys;
  private readonly guard = new AnswerGuard();

  constructor(private readonly ports: InputGatePorts) {
    const { store, now, composer } = ports;
    this.typeAhead = new TypeAhead(now);
    this.held = new HeldKeys({
      isDialogOpen: () => store.getState().dialog !== undefined,
      replay: (events) => this.replay(events),
    });
    watchQuestions(store, this.typeAhead, () => !composer.isEmpty());
    this.watchChanges();
  }

  /** @param events of one piece of input */
  receive(events: readonly InputEvent[]): void {
    const isMixed = isMixedInput(events);
    for (const event of events) this.pass(event, isMixed);
  }

  /** A question or a dialog is on the screen. */
  shown(): void {
    this.typeAhead.questionShown();
  }

  dialogReady(): void {
    this.held.dialogReady();
  }

  dialogBusy(work: Promise<unknown>): void {
    void this.held.duringAction(work);
  }

  commandStarted(running: Promise<void>): void {
    running.catch(this.ports.onFailure);
    void this.held.duringCommand(running);
  }

  private pass(event: InputEvent, isMixed: boolean): void {
    const isQuit = event.kind === 'key' && isCommand(event, 'basic.quit');
    if (isQuit) this.held.discard();
    else if (this.held.isHolding) {
      this.held.keep(event);
      return;
    }
    const { store, router, composer, flush } = this.ports;
    const { dialog, confirmation, ...size } = store.getState();
    const isOpen = dialog !== undefined || confirmation !== undefined;
    const fate = this.typeAhead.judge(event, { isHidden: isOpen && isTooSmall(size) });
    if (event.kind === 'key' && !isOpen) this.typeAhead.typed();
    const isAnswer = this.mayAnswer(event, isMixed);
    if (fate === 'pass' && isAnswer) {
      router.dispatch(event);
      flush();
    } else if (fate === 'input') composer.handle(event);
  }

  /** Also true when no question is open. */
  private mayAnswer(event: InputEvent, isMixed: boolean): boolean {
    const { store, router } = this.ports;
    const state = store.getState();
    if (!isQuestionOpen(state) || router.takesText(event)) return true;
    const verdict = this.guard.judge(event, isMixed);
    const hint = verdict.kind === 'drop' ? verdict.hint : undefined;
    if ((event.kind === 'key' || event.kind === 'paste') && hint !== state.answerHint)
      store.dispatch({ type: 'answer_hint', hint });
    return verdict.kind === 'pass';
  }

  /** Each question starts without the letters typed before. */
  private watchChanges(): void {
    const { store } = this.ports;
    let before = store.getState();
    store.subscribe(() => {
      const { confirmation, dialog, answerHint } = store.getState();
      const isSame = confirmation === before.confirmation && dialog === before.dialog;
      before = store.getState();
      if (isSame) return;
      this.guard.reset();
      if (answerHint !== undefined) store.dispatch({ type: 'answer_hint', hint: undefined });
    });
  }

  /** Keys typed before the user could read a question do not answer it. */
  private replay(events: readonly InputEvent[]): void {
    const { store, composer } = this.ports;
    if (!isQuestionOpen(store.getState())) {
      this.receive(events);
      return;
    }
    if (isMixedInput(events)) this.guard.textTyped();
    for (const event of events)
      if (event.kind !== 'key' || !isCommand(event, 'basic.confirm')) composer.handle(event);
  }
}

/** Questions with a list of choices only; in other dialogs letters search, move or are typed. */
const QUESTIONS: ReadonlySet<DialogName> = new Set([
  'trust',
  'policies',
  'fallback',
  'loop',
  'confirmAction',
  'confirmShell',
]);

function isQuestionOpen({ confirmation, dialog }: UiState): boolean {
  if (confirmation !== undefined) return true;
  return dialog !== undefined && (QUESTIONS.has(dialog.name) || isPageQuestion(dialog));
}

/** A server asks to open a page; its forms have fields to type into. */
function isPageQuestion({ name, props }: NonNullable<UiState['dialog']>): boolean {
  const { mode } = objectOf(objectOf(props)['question']);
  return name === 'elicitation' && mode === 'url';
}
