/** Checks the sandboxes of the whole program and of single commands. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@gemini-cli/core';
import {
  type Check,
  type CheckResult,
  type Facts,
  failure,
  join as joined,
  ok,
  skipped,
  warning,
} from './check.js';

export const sandbox: Check = {
  id: 'sandbox',
  title: 'Sandbox',
  async run(facts) {
    const { env } = facts;
    if (env['SANDBOX']) return skipped(`running inside ${env['SANDBOX']}`);
    return joined([await wholeProgram(facts), await singleCommands(facts), await harmlessCommands(facts)]);
  },
};

async function wholeProgram({ env, settings, engine }: Facts): Promise<CheckResult> {
  try {
    const { selectSandbox } = await engine.loadWholeProcessSandbox();
    const selected = await selectSandbox({ env, flag: undefined, setting: settings.merged.tools?.sandbox });
    return selected
      ? ok(`the whole program runs in ${selected.command}`)
      : ok('no sandbox for the whole program');
  } catch (error) {
    return failure(
      [messageOf(error)],
      'Install what is missing, or remove GEMINI_SANDBOX and tools.sandbox: until then the program does not start (exit code 44).',
    );
  }
}

async function singleCommands({ settings, env, engine }: Facts): Promise<CheckResult> {
  const isOn = settings.merged.security?.toolSandboxing ?? false;
  // The trial run needs some files, which are removed afterwards.
  const directory = mkdtempSync(join(tmpdir(), 'gemini-doctor-'));
  const answer = await engine
    .createSandboxManager({ variables: env, stateDirectory: directory })
    .check()
    .finally(() => rmSync(directory, { recursive: true, force: true }));
  if (answer.ok) {
    return ok(`commands ${isOn ? 'are' : 'can be'} sandboxed (security.toolSandboxing)`, ...answer.notes);
  }
  const { reason, remedy } = answer;
  return isOn ? failure([reason], remedy) : ok(reason, 'it is not enabled (security.toolSandboxing)');
}

/** Harmless commands run without asking, and in a sandbox where one is available. */
async function harmlessCommands({ cwd, env, engine }: Facts): Promise<CheckResult> {
  const directory = mkdtempSync(join(tmpdir(), 'gemini-doctor-'));
  try {
    const container = await engine.createContainer({ variables: env, stateDirectory: directory });
    const answer = await container?.check();
    if (answer?.ok)
      return ok('commands judged harmless run contained', ...answer.notes, ...engine.searchNotes([cwd]));
    const { reason, remedy } = answer ?? {
      reason: 'This platform has no sandbox for single commands.',
      remedy: 'Run the whole program in docker (--sandbox).',
    };
    return warning(['commands judged harmless run without a sandbox', reason], remedy);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
