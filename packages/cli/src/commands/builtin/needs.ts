/** What commands need of the engine; without it they end with a sentence for the user. */
import type { Config } from '@gemini-cli/core';
import type { CommandContext } from '../types.js';

/** @throws when the engine is not up */
export function engineOf({ services }: CommandContext): Config {
  if (services.config) return services.config;
  throw new Error('The engine is not running yet. Sign in first: /auth.');
}
