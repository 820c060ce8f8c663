/** `/stats`: session statistics, by model and by tool. */
import type { Action } from './define.js';

export const session: Action = ({ session: { stats } }) => ({
  type: 'items',
  items: [{ type: 'stats', stats }],
});

export const model: Action = ({ session: { stats } }) => ({
  type: 'items',
  items: [{ type: 'model_stats', metrics: stats.metrics }],
});

export const tools: Action = ({ session: { stats } }) => ({
  type: 'items',
  items: [{ type: 'tool_stats', metrics: stats.metrics }],
});
