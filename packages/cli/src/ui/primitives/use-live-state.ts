/**
 * State that is current between two drawings, too: several keys may come in one read, and the second must see
 * what the first has done.
 */
import { useReducer, useRef } from 'react';

export interface LiveState<S> {
  readonly now: S;
  set(next: S): void;
}

export function useLiveState<S>(initial: S | (() => S)): LiveState<S> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const live = useRef<Holder<S> | undefined>(undefined);
  live.current ??= new Holder(initial instanceof Function ? initial() : initial, redraw);
  return live.current;
}

class Holder<S> implements LiveState<S> {
  constructor(
    private value: S,
    private readonly redraw: () => void,
  ) {}

  get now(): S {
    return this.value;
  }

  set(next: S): void {
    if (Object.is(next, this.value)) return;
    this.value = next;
    this.redraw();
  }
}
