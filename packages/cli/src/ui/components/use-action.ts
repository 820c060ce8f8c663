/** Work that a key starts, e.g. saving. Keys typed meanwhile wait: it may close the dialog, or fail and stay. */
import { messageOf } from '@gemini-cli/core';
import { useContext, useState } from 'react';
import { KeyScopeContext } from '../keys/key-scope.js';

export interface Action {
  run(work: () => Promise<void>): void;
  isRunning: boolean;
  /** Why the last run has failed; empty: it has not. */
  problem: string;
}

export function useAction(): Action {
  const scope = useContext(KeyScopeContext);
  const [state, setState] = useState({ isRunning: false, problem: '' });
  const run = (work: () => Promise<void>) => {
    setState({ isRunning: true, problem: '' });
    const done = work().then(
      () => setState({ isRunning: false, problem: '' }),
      (error: unknown) => setState({ isRunning: false, problem: messageOf(error) }),
    );
    scope.holdDuring(done);
  };
  return { run, ...state };
}
