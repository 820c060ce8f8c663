/** The usual input of a built-in agent: one required text. */
import type { InputConfig } from '../types.js';

export function oneText(name: string, description: string): InputConfig {
  return {
    inputSchema: {
      type: 'object',
      properties: { [name]: { type: 'string', description } },
      required: [name],
    },
  };
}
