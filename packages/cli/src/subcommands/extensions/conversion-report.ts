/** Prints what a conversion has done, as text or JSON. */
import { type ExtensionConversion, messageOf } from '@gemini-cli/core';
import { oneLine, safeText } from '../../output/output.js';
import type { SubcommandIo } from '../subcommand.js';
import type { ConvertArguments } from './convert-arguments.js';

type Report = Parameters<ExtensionConversion['reportText']>[0];

/** With `--all`: a plugin that could not be converted. */
export interface ConversionFailure {
  plugin: string;
  error: unknown;
}

/** One plugin: an object; `--all`: a list, which also has the failures. @returns the exit code */
export function printReports(
  { reportText }: Pick<ExtensionConversion, 'reportText'>,
  { reports, failures }: { reports: readonly Report[]; failures: readonly ConversionFailure[] },
  { format, all, verb }: Pick<ConvertArguments, 'format' | 'all'> & { verb: 'convert' | 'import' },
  io: SubcommandIo,
): number {
  const failed = failures.map(({ plugin, error }) => ({ plugin, error: messageOf(error) }));
  if (format === 'json')
    io.stdout(`${JSON.stringify(all ? [...reports, ...failed] : reports[0], null, 2)}\n`);
  else io.stdout(reports.map((report) => safeText(reportText(report))).join('\n'));
  for (const { plugin, error } of failed)
    io.stderr(`gemini extensions ${verb}: ${oneLine(plugin)}: ${oneLine(error)}`);
  return failures.length > 0 ? 1 : 0;
}
