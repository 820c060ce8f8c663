/** Work that a key starts, e.g. saving. Keys typed meanwhile wait: it may close the dialog, or fail and stay. */
import { messageOf } from '@gemini-cli/core';
import { useContext, useState } from 'react';
import { KeyScopeContext } from '../keys/key-scope.js';

export interface Action {
  run(work: () => Promise<void>): void;
  isRunning: boolean;
  /** Why the last run has failed; empty: it has not. */
  problem: string;
  /** For what is wrong before anything runs; empty: no longer. */
  setProblem(problem: string): void;
}

export function useAction(problemAtFirst = ''): Action {
  const scope = useContext(KeyScopeContext);
  const [state, setState] = useState({ isRunning: false, problem: problemAtFirst });
  const run = (work: () => Promise<void>) => {
    setState({ isRunning: true, problem: '' });
    const done = work().then(
      () => setState({ isRunning: false, problem: '' }),
      (error: unknown) => setState({ isRunning: false, problem: messageOf(error) }),
    );
    scope.holdDuring(done);
  };
  const setProblem = (problem: string) => setState((last) => ({ ...last, problem }));
  return { run, setProblem, ...state };
}
