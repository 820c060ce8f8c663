/** Refuses every command on Windows, where we cannot isolate single commands. */
import { type SandboxCheck, SandboxError, type SandboxedCommand, type SandboxManager } from './types.js';

const REFUSAL = {
  ok: false,
  reason: 'Commands cannot be sandboxed one by one on this system.',
  remedy: 'Disable security.toolSandboxing, or run the whole program in a container (GEMINI_SANDBOX=docker).',
} as const;

export class WindowsSandboxManager implements SandboxManager {
  async check(): Promise<SandboxCheck> {
    return REFUSAL;
  }

  async wrap(): Promise<SandboxedCommand> {
    throw new SandboxError(REFUSAL.reason, REFUSAL.remedy);
  }
}
