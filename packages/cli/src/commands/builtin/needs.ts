/** The engine for a command, or an error that tells the user to sign in. */
import type { Config } from '@gemini-cli/core';
import type { CommandContext } from '../types.js';

export function engineOf({ services }: CommandContext): Config {
  if (services.config) return services.config;
  throw new Error('The engine is not running yet. Sign in first: /auth.');
}
