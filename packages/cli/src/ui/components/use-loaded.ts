/** Data that a dialog shows once it is there. Keys wait for it, so that they mean what the user sees then. */
import { messageOf } from '@gemini-cli/core';
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { KeyScopeContext } from '../keys/key-scope.js';

export interface Loaded<T> {
  /** Undefined until it is there. */
  value: T | undefined;
  /** Why it could not be loaded; empty: no problem so far. */
  problem: string;
  isLoading: boolean;
  reload(): void;
}

export interface LoadOptions {
  /** False: the dialog can be answered without it. */
  keysWait?: boolean;
}

type State<T> = Omit<Loaded<T>, 'reload'>;

/** @param load is called once, and again by `reload`; undefined: there is nothing to load */
export function useLoaded<T>(
  load: ((signal: AbortSignal) => T | Promise<T>) | undefined,
  { keysWait = true }: LoadOptions = {},
): Loaded<T> {
  const scope = useContext(KeyScopeContext);
  const [state, setState] = useState<State<T>>({
    value: undefined,
    problem: '',
    isLoading: load !== undefined,
  });
  const latest = useRef(load);
  const running = useRef<AbortController | undefined>(undefined);
  useLayoutEffect(() => {
    latest.current = load;
  });
  const holdsKeys = state.isLoading && keysWait;
  useLayoutEffect(() => (holdsKeys ? scope.startLoading() : undefined), [scope, holdsKeys]);
  const start = useCallback(() => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const run = latest.current;
    if (!run) return;
    const end = (next: Partial<State<T>>) => {
      if (!controller.signal.aborted) setState((last) => ({ ...last, ...next, isLoading: false }));
    };
    Promise.resolve()
      .then(() => run(controller.signal))
      .then(
        (value) => end({ value, problem: '' }),
        (error: unknown) => end({ problem: messageOf(error) }),
      );
  }, []);
  const reload = useCallback(() => {
    if (latest.current) setState((last) => ({ ...last, isLoading: true }));
    start();
  }, [start]);
  useEffect(() => {
    start();
    return () => running.current?.abort();
  }, [start]);
  return { ...state, reload };
}
