/** Where the keys go that somebody types faster than the screen can change: see `TypeAhead` and `HeldKeys`. */
import { isCommand } from '../keys/bindings.js';
import type { InputEvent } from '../keys/key.js';
import type { InputRouter } from '../keys/router.js';
import type { Store } from '../store/store.js';
import { HeldKeys } from './held-keys.js';
import { isTooSmall } from './screen.js';
import { TypeAhead } from './type-ahead.js';
import { watchQuestions } from './watch-questions.js';

export interface InputGatePorts {
  store: Store;
  router: InputRouter;
  now: () => number;
  composer: { handle(event: InputEvent): boolean; isEmpty(): boolean };
  /** A command has failed in a way it should not. */
  onFailure: (error: unknown) => void;
}

export class InputGate {
  private readonly typeAhead: TypeAhead;
  private readonly held: HeldKeys;

  constructor(private readonly ports: InputGatePorts) {
    const { store, now, composer } = ports;
    this.typeAhead = new TypeAhead(now);
    this.held = new HeldKeys({
      isDialogOpen: () => store.getState().dialog !== undefined,
      replay: (events) => this.replay(events),
    });
    watchQuestions(store, this.typeAhead, () => !composer.isEmpty());
  }

  receive(events: readonly InputEvent[]): void {
    for (const event of events) this.pass(event);
  }

  /** A question or a dialog is on the screen. */
  shown(): void {
    this.typeAhead.questionShown();
    this.held.dialogShown();
  }

  commandStarted(running: Promise<void>): void {
    running.catch(this.ports.onFailure);
    void this.held.during(running);
  }

  private pass(event: InputEvent): void {
    if (this.held.isHolding) {
      this.held.keep(event);
      return;
    }
    const { store, router, composer } = this.ports;
    const { dialog, confirmation, ...size } = store.getState();
    const isOpen = dialog !== undefined || confirmation !== undefined;
    const fate = this.typeAhead.judge(event, { isHidden: isOpen && isTooSmall(size) });
    if (event.kind === 'key' && !isOpen) this.typeAhead.typed();
    if (fate === 'pass') router.dispatch(event);
    else if (fate === 'input') composer.handle(event);
  }

  /** Typed before anybody could read a question: no answer to it. */
  private replay(events: readonly InputEvent[]): void {
    const { store, composer } = this.ports;
    const { dialog, confirmation } = store.getState();
    const isQuestion = confirmation !== undefined || dialog?.name.startsWith('confirm') === true;
    if (!isQuestion) {
      this.receive(events);
      return;
    }
    for (const event of events)
      if (event.kind !== 'key' || !isCommand(event, 'basic.confirm')) composer.handle(event);
  }
}
