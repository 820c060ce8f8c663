/** The open engines of each agent, so that `dispose` finds them. */
import type { GeminiCliAgent } from './agent.js';

interface Closable {
  close(): Promise<void>;
}

const engines = new WeakMap<GeminiCliAgent, Set<Closable>>();

export function enginesOf(agent: GeminiCliAgent): Set<Closable> {
  let open = engines.get(agent);
  if (!open) {
    open = new Set();
    engines.set(agent, open);
  }
  return open;
}
