/** `gemini agents validate [path] [--fix]`: all mistakes of all files, and their repair with a preview and a copy. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentFilesModule, messageOf } from '@gemini-cli/core';
import { escapeControls } from '../../output/json-text.js';
import { oneLine, safeText } from '../../output/output.js';
import type { SubcommandIo } from '../subcommand.js';
import type { AgentsArguments } from './arguments.js';

export interface ValidateContext {
  engine: AgentFilesModule;
  cwd: string;
  globalDir: string;
  /** A file or folder; absent: the agents of the project and of the user. */
  path?: string;
  /** Undefined when the user cannot be asked, as in a pipe: `--fix` then writes at once. */
  ask?: ((question: string) => Promise<boolean>) | undefined;
}

type Wanted = Extract<AgentsArguments, { verb: 'validate' }>;
type Checked = Awaited<ReturnType<AgentFilesModule['checkAgentFiles']>>[number];

/** @returns 1 if a file does not load */
export async function validateAgents(
  wanted: Wanted,
  io: SubcommandIo,
  context: ValidateContext,
): Promise<number> {
  const { engine, cwd, globalDir, path } = context;
  if (path !== undefined && !existsSync(path)) {
    io.stderr(`gemini agents: not found: ${oneLine(path)}`);
    return 1;
  }
  const projectDir = join(cwd, '.gemini', 'agents');
  const userDir = join(globalDir, 'agents');
  const checked =
    path !== undefined
      ? await engine.checkAgentFiles(path)
      : [
          ...(projectDir === userDir ? [] : await engine.checkAgentFiles(projectDir, cwd)),
          ...(await engine.checkAgentFiles(userDir)),
        ];
  const results: FileResult[] = [];
  for (const one of checked) results.push(await settle(one, wanted, io, context));
  if (wanted.json) io.stdout(`${escapeControls(JSON.stringify(results, null, 2))}\n`);
  else io.stdout(summaryOf(results, wanted));
  return results.every(({ status }) => status === 'valid' || status === 'fixed') ? 0 : 1;
}

interface FileResult {
  file: string;
  /** `fixable`: it does not load, but `--fix` would help. `valid` with warnings may be fixable, too. */
  status: 'valid' | 'fixed' | 'fixable' | 'invalid';
  agents: string[];
  issues: { field: string; message: string; cure: string }[];
  warnings: string[];
  changes?: string[];
  losses?: string[];
  diff?: string;
  backup?: string;
  error?: string;
}

async function settle(
  one: Checked,
  wanted: Wanted,
  io: SubcommandIo,
  { engine, ask }: ValidateContext,
): Promise<FileResult> {
  const { file, names, problem, warnings, fix } = one;
  const result: FileResult = {
    file,
    status: problem ? (fix?.status === 'fixed' ? 'fixable' : 'invalid') : 'valid',
    agents: names,
    issues: (problem?.issues ?? []).map(({ field, message, cure }) => ({ field, message, cure })),
    warnings,
  };
  const say = (text: string) => {
    if (!wanted.json) io.stdout(`${safeText(text)}\n`);
  };
  say(headOf(one));
  if (!wanted.fix || fix?.status !== 'fixed') return result;
  const diff = await engine.previewFix(one);
  const { changes, losses } = fix;
  const planned = { ...result, changes, losses, diff };
  say([diff, ...losses.map((line) => `Note: ${line}`)].join('\n'));
  if (wanted.dryRun) return planned;
  const mayWrite = wanted.yes || !ask || wanted.json || (await ask('Write this change? (y/N) '));
  if (!mayWrite) return planned;
  try {
    const backup = engine.applyFix(one) ?? '';
    say(`Fixed. The original is ${backup}`);
    return { ...planned, status: 'fixed', backup };
  } catch (error) {
    say(`Not fixed: ${messageOf(error)}`);
    return { ...planned, error: messageOf(error) };
  }
}

function headOf({ file, names, text, warnings }: Checked): string {
  return [text ?? `✓ ${file} (${names.join(', ')})`, ...warnings.map((line) => `  Warning: ${line}`)].join(
    '\n',
  );
}

function summaryOf(results: readonly FileResult[], { fix }: Wanted): string {
  if (results.length === 0) return 'No agent files found.\n';
  const count = (status: FileResult['status']) => results.filter((result) => result.status === status).length;
  const parts = [
    `${count('valid')} valid`,
    ...(count('fixed') > 0 ? [`${count('fixed')} fixed`] : []),
    ...(count('fixable') > 0 ? [`${count('fixable')} can be fixed${fix ? '' : ' with --fix'}`] : []),
    ...(count('invalid') > 0 ? [`${count('invalid')} must be corrected by hand`] : []),
  ];
  return `\n${results.length} agent file${results.length === 1 ? '' : 's'}: ${parts.join(', ')}.\n`;
}
