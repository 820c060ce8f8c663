/** `/healthz`: the process answers. `/readyz`: it takes work. `/metrics`: numbers for Prometheus. */
import { type Route, sendJson, sendText } from '../http/exchange.js';
import type { Metrics } from './metrics.js';

export interface OperationParts {
  metrics: Metrics;
  /** Why it takes no work; undefined: it does. */
  problem: () => Promise<string | undefined>;
}

export function operationRoutes({ metrics, problem }: OperationParts): Route[] {
  return [
    {
      method: 'GET',
      pattern: /^\/healthz$/,
      handle: async ({ response }) => sendJson(response, 200, { status: 'ok' }),
    },
    {
      method: 'GET',
      pattern: /^\/readyz$/,
      handle: async ({ response }) => {
        const found = await problem();
        if (found === undefined) return sendJson(response, 200, { status: 'ready' });
        return sendJson(response, 503, { status: 'not ready', reason: found });
      },
    },
    {
      method: 'GET',
      pattern: /^\/metrics$/,
      handle: async ({ response }) => sendText(response, 200, metrics.text(), 'text/plain; version=0.0.4'),
    },
  ];
}
