/** Windows: we have no way to isolate a single command there, and say so. */
import { type SandboxCheck, SandboxError, type SandboxedCommand, type SandboxManager } from './types.js';

const REFUSAL = {
  ok: false,
  reason: 'Commands cannot be sandboxed one by one on this system.',
  remedy:
    'Switch off security.toolSandboxing, or run the whole program in a container (GEMINI_SANDBOX=docker).',
} as const;

export class WindowsSandboxManager implements SandboxManager {
  async check(): Promise<SandboxCheck> {
    return REFUSAL;
  }

  async wrap(): Promise<SandboxedCommand> {
    throw new SandboxError(REFUSAL.reason, REFUSAL.remedy);
  }
}
