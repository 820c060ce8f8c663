/** `/bug` and `/bug-memory`: collect what a developer needs to find a fault. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Content, loadSessions, type Message } from '@gemini-cli/core';
import type { CommandContext } from '../types.js';
import { describe } from './about.js';
import { type Action, info } from './define.js';
import { engineOf } from './needs.js';

const MAX_URL = 8000;

export const bug: Action = async (context, title) => {
  const report = aboutText(context);
  const saved = context.services.config ? `Conversation so far: ${await saveHistory(context)}` : '';
  const template = context.services.settings.merged.advanced?.bugCommand?.urlTemplate;
  if (!template) {
    const where = 'No report address is set (advanced.bugCommand.urlTemplate in settings.json).';
    return info([where, 'Please add this to your report:', report, saved].filter(Boolean).join('\n'));
  }
  const url = template
    .replaceAll('{title}', encodeURIComponent(title))
    .replaceAll('{info}', encodeURIComponent(report))
    .slice(0, MAX_URL)
    // The cut must not end in the middle of an escape.
    .replace(/%.?$/, '');
  const isOpen = await context.ui.app.openUrl(url);
  return info(
    [isOpen ? `Opened in your browser: ${url}` : `Open this address: ${url}`, saved].join('\n').trim(),
  );
};

export const heapSnapshot: Action = async (context) => {
  const { writeHeapSnapshot } = await import('node:v8');
  const directory = projectDir(context);
  const path = writeHeapSnapshot(join(directory, `heap-${Date.now()}.heapsnapshot`));
  return info(`Heap snapshot: ${path}\nIt holds everything in memory, secrets included. Do not publish it.`);
};

function aboutText(context: CommandContext): string {
  return Object.entries({
    ...describe(context),
    account: undefined,
    session: context.session.stats.sessionId,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `* ${name}: ${value}`)
    .join('\n');
}

/** Masks secrets; only the user can read the file. */
async function saveHistory(context: CommandContext): Promise<string> {
  const config = engineOf(context);
  const client = config.getGeminiClient();
  const { writeBugReport } = await loadSessions();
  return writeBugReport({
    directory: projectDir(context),
    history: client.isInitialized() ? client.getChat().getHistory().map(toContent) : [],
    now: Date.now,
    redact: (value) => config.getRedactor().redactValue(value),
  });
}

function toContent({ role, parts }: Message): Content {
  return { role, parts };
}

function projectDir(context: CommandContext): string {
  const directory = engineOf(context).storage.getProjectTempDir();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}
