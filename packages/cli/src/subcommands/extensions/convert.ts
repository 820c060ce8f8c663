/** `gemini extensions convert`: writes a Claude Code plugin as the root of an extension. */
import { join, resolve } from 'node:path';
import { type ExtensionConversion, environmentOf, loadExtensionConversion } from '@gemini-cli/core';
import { checkCommandFiles } from '../../commands/loaders/check-files.js';
import { oneLine } from '../../output/output.js';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand, SubcommandIo } from '../subcommand.js';
import { reportEach } from './conversion-report.js';
import { type ConvertArguments, parseConvertArguments } from './convert-arguments.js';

type Report = Parameters<ExtensionConversion['reportText']>[0];

const run: Subcommand = async (args, io) => {
  const wanted = parseConvertArguments('convert', args);
  if (typeof wanted !== 'string') return convert(wanted, io);
  io.stderr(`gemini extensions convert: ${oneLine(wanted)}`);
  return 1;
};

export default run;

export async function convert(wanted: ConvertArguments, io: SubcommandIo): Promise<number> {
  const conversion = await loadExtensionConversion();
  const environment = environmentOf(io.env, currentDirectory());
  const base = resolve(environment.cwd, wanted.output ?? join('dist', 'gemini-extension'));
  return reportEach({ verb: 'convert', conversion, environment, io }, wanted, (location) =>
    convertOne(conversion, location, base, wanted, environment.cwd),
  );
}

async function convertOne(
  conversion: ExtensionConversion,
  location: Parameters<ExtensionConversion['readPlugin']>[0],
  base: string,
  { options, dryRun, force, all }: ConvertArguments,
  cwd: string,
): Promise<Report> {
  const read = await conversion.readPlugin(location, options);
  const converted = await conversion.convertPlugin(read, options, { kind: 'extension' });
  const { name, version } = converted;
  const output = all ? join(base, name) : base;
  const written = dryRun
    ? { unchanged: false, rows: [] }
    : await conversion.writeExtension({
        converted,
        output,
        force,
        checkCommands: checkCommandFiles,
        keep: [location.dir, cwd],
      });
  const rows = [...converted.rows, ...written.rows];
  return {
    plugin: name,
    version,
    output,
    written: !dryRun,
    unchanged: written.unchanged,
    counts: conversion.countRows(rows),
    rows,
  };
}
