/** `gemini extensions validate <path> [--strict]`: what keeps an extension from loading, and what would not work. */
import { resolve } from 'node:path';
import { loadExtensionAuthoring } from '@gemini-cli/core';
import { checkCommandFiles } from '../../commands/loaders/check-files.js';
import { oneLine } from '../../output/output.js';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand } from '../subcommand.js';

const run: Subcommand = async (args, io) => {
  const words = args.filter((arg) => arg !== '-d' && arg !== '--debug' && arg !== '--strict');
  const flag = words.find((word) => word.startsWith('-'));
  const [path = '', ...more] = words;
  if (flag !== undefined || path.trim() === '' || more.length > 0) {
    const problem = flag === undefined ? '' : `unknown argument "${oneLine(flag)}". `;
    io.stderr(`gemini extensions: ${problem}Use: gemini extensions validate <path> [--strict].`);
    return 1;
  }
  const dir = resolve(currentDirectory(), path);
  const { inspectExtension, placeOfProblem, describeCapabilities } = await loadExtensionAuthoring();
  const { manifest, problems, runsPrograms } = await inspectExtension(dir, {
    strict: args.includes('--strict'),
    checkCommands: checkCommandFiles,
  });
  const list = (level: 'warning' | 'error', title: string) => {
    const found = problems.filter((problem) => problem.level === level);
    if (found.length > 0) io.stderr(title);
    for (const problem of found) {
      const place = placeOfProblem(dir, problem);
      io.stderr(`  - ${oneLine(place === '' ? problem.message : `${place}: ${problem.message}`)}`);
    }
    return found.length;
  };
  list('warning', 'Warnings:');
  const errors = list('error', 'Errors:');
  if (!manifest || errors > 0) {
    io.stderr(`The extension in ${oneLine(dir)} is not valid.`);
    return 1;
  }
  io.stdout(`The extension "${manifest.name}" (${oneLine(manifest.version)}) in ${oneLine(dir)} is valid.\n`);
  if (runsPrograms || manifest.capabilities) {
    io.stdout('Rights of its hooks and MCP servers:\n');
    for (const line of describeCapabilities(manifest.capabilities)) io.stdout(`  ${oneLine(line)}\n`);
  }
  return 0;
};

export default run;
