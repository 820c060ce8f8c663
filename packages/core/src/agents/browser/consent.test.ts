import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MessageBusType, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import { requireConsent } from './consent.js';

let home: { path: string; cleanup: () => void };
beforeEach(() => {
  home = tempDir();
});
afterEach(() => home.cleanup());

const file = () => join(home.path, 'cli-browser-profile/browser-consent-acknowledged.txt');

/** @param answer of the user; undefined: there is no user */
async function ask(answer?: ToolConfirmationOutcome): Promise<string[]> {
  const bus = makeBus();
  const asked: string[] = [];
  if (answer)
    bus.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId, details }) => {
      asked.push(details?.title ?? '');
      const confirmed = answer !== ToolConfirmationOutcome.Cancel;
      const type = MessageBusType.TOOL_CONFIRMATION_RESPONSE;
      bus.publish({ type, correlationId, confirmed, outcome: answer });
    });
  await requireConsent(home.path, { agentName: 'browser_agent', bus, signal: new AbortController().signal });
  return asked;
}

describe('consent to the use of a browser', () => {
  it('is asked once and kept as a file', async () => {
    expect(await ask(ToolConfirmationOutcome.ProceedOnce)).toEqual(['Let the browser agent use a browser?']);
    expect(readFileSync(file(), 'utf8')).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(await ask(ToolConfirmationOutcome.Cancel)).toEqual([]);
  });

  it('can be refused, and is asked for again', async () => {
    await expect(ask(ToolConfirmationOutcome.Cancel)).rejects.toThrow('You did not consent');
    expect(existsSync(file())).toBe(false);
    expect(await ask(ToolConfirmationOutcome.ProceedOnce)).toHaveLength(1);
  });

  it('is missing where no user can be asked', async () => {
    await expect(ask()).rejects.toThrow('Run it once in an interactive session.');
    expect(existsSync(file())).toBe(false);
  });
});
