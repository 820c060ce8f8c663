/** `gemini doctor [--json] [--offline]`: checks everything the program depends on and says what to do. */
import { loadDiagnostics, messageOf } from '@gemini-cli/core';
import type { Subcommand } from '../subcommand.js';
import { type Check, type Facts, failure } from './check.js';
import { CHECKS } from './checks.js';
import { gatherFacts } from './facts.js';
import { type Answer, asJson, asText, type DoctorReport } from './report.js';

const FLAGS = ['--json', '--offline', '--debug', '-d'];

const run: Subcommand = async (args, io) => {
  const unknown = args.find((arg) => !FLAGS.includes(arg));
  if (unknown !== undefined) {
    io.stderr(`gemini doctor: unknown argument "${unknown}". There are --json and --offline.`);
    return 1;
  }
  const report = await examine(io.env, args.includes('--offline'));
  io.stdout(args.includes('--json') ? asJson(report) : asText(report));
  return report.fatal > 0 ? 1 : 0;
};

export default run;

async function examine(env: NodeJS.ProcessEnv, isOffline: boolean): Promise<DoctorReport> {
  const engine = await loadDiagnostics();
  const facts = await gatherFacts({ engine, env, cwd: currentDirectory(), isOffline });
  const checks: Answer[] = [];
  // In sequence: some checks start programs, which would slow each other down on a small machine.
  for (const check of CHECKS) checks.push(await answer(check, facts));
  const fatal = checks.filter(({ status }) => status === 'error').length;
  return facts.redactor.redactValue({ version: facts.version, checks, fatal });
}

/** A check that throws must not hide the results of the others. */
async function answer({ id, title, run }: Check, facts: Facts): Promise<Answer> {
  try {
    return { id, title, ...(await run(facts)) };
  } catch (error) {
    const result = failure([`could not be checked: ${messageOf(error)}`], 'Please report this.');
    return { id, title, ...result };
  }
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new Error('The current directory does not exist any more. Change to another one and try again.');
  }
}
