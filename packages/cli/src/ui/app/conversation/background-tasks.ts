/** Keeps the number of running background commands, which the line above the input shows, up to date. */
import type { ShellExecutionService } from '@gemini-cli/core';
import type { AppContext } from '../context/app-context.js';
import type { EngineHost } from './engine-host.js';

export function countBackgroundTasks({ store }: AppContext, engine: EngineHost): void {
  const count = (service: ShellExecutionService | undefined) => {
    const tasks = service?.listBackground() ?? [];
    const backgroundTasks = tasks.filter(({ status }) => status === 'running').length;
    if (backgroundTasks !== store.getState().facts.backgroundTasks)
      store.dispatch({ type: 'facts_changed', facts: { backgroundTasks } });
  };
  engine.onStarted((config) => {
    const service = config.getShellExecutionService();
    service.onBackgroundExit(() => count(service));
  });
  store.subscribe(() => count(engine.shells));
}
