/** Opens the sandbox that was selected for the whole program. */
import { openBubblewrap } from './bubblewrap.js';
import { openContainer } from './container-session.js';
import { openLxc } from './lxc.js';
import { openSeatbelt } from './seatbelt.js';
import type { SandboxConfig } from './select.js';
import type { SandboxSession, WholeProcessSources } from './whole-process.js';

/** @throws FatalSandboxError */
export function openSandbox(config: SandboxConfig, sources: WholeProcessSources): Promise<SandboxSession> {
  if (config.command === 'bwrap') return openBubblewrap(config, sources);
  if (config.command === 'sandbox-exec') return openSeatbelt(sources);
  if (config.command === 'lxc') return openLxc(sources);
  return openContainer(config, sources);
}
