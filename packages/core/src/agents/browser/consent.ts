/** The user's consent to let an agent use a browser, asked once and kept as a file. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import type { AgentRunScene } from '../types.js';
import text from './consent.md';
import { defaultProfileDir } from './session-settings.js';

const CONSENT_FILE = 'browser-consent-acknowledged.txt';

/**
 * The file lies in the user's own folder, never in `profilePath`: a project could bring that one along.
 * @throws UserError without consent
 */
export async function requireConsent(globalDir: string, { bus, signal }: AgentRunScene): Promise<void> {
  const folder = defaultProfileDir(globalDir);
  const file = join(folder, CONSENT_FILE);
  if (existsSync(file)) return;
  if (!bus.hasAnswerer)
    throw new UserError(
      'The browser agent needs your consent before its first use. Run it once in an interactive session.',
    );
  const reply = await bus.confirm(
    {
      toolCall: { id: randomUUID(), name: 'browser_agent', args: {} },
      details: {
        type: 'info',
        title: 'Let the browser agent use a browser?',
        prompt: text.trim(),
        offeredOutcomes: [ToolConfirmationOutcome.ProceedOnce, ToolConfirmationOutcome.Cancel],
      },
    },
    { signal },
  );
  const isGiven = reply.status === 'answered' && reply.answer.outcome === ToolConfirmationOutcome.ProceedOnce;
  if (!isGiven) throw new UserError('You did not consent to the use of a browser.');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${new Date().toISOString()}\n`, { mode: 0o600 });
}
