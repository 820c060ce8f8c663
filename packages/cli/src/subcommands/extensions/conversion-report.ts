/** Prints what a conversion has done, as text or JSON. */
import type { ExtensionConversion } from '@gemini-cli/core';
import { safeText } from '../../output/output.js';
import type { SubcommandIo } from '../subcommand.js';
import type { ConvertArguments } from './convert-arguments.js';

type Report = Parameters<ExtensionConversion['reportText']>[0];

/** One plugin: an object; `--all`: a list. */
export function printReports(
  { reportText }: Pick<ExtensionConversion, 'reportText'>,
  reports: readonly Report[],
  { format, all }: Pick<ConvertArguments, 'format' | 'all'>,
  io: SubcommandIo,
): void {
  if (format === 'json') io.stdout(`${JSON.stringify(all ? reports : reports[0], null, 2)}\n`);
  else io.stdout(reports.map((report) => safeText(reportText(report))).join('\n'));
}
