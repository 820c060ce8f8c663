/** Opens the plugins of a source for `convert` and `import`, and prints what became of each, as text or JSON. */
import { type Environment, type ExtensionConversion, messageOf } from '@gemini-cli/core';
import { oneLine, safeText } from '../../output/output.js';
import type { SubcommandIo } from '../subcommand.js';
import type { ConvertArguments } from './convert-arguments.js';

type Report = Parameters<ExtensionConversion['reportText']>[0];

type Location = Parameters<ExtensionConversion['readPlugin']>[0];

export interface ConversionScene {
  verb: 'convert' | 'import';
  conversion: ExtensionConversion;
  environment: Environment;
  io: SubcommandIo;
}

/**
 * With `--all`, a plugin that fails does not keep the others from being converted.
 * @returns the exit code
 */
export async function reportEach(
  { verb, conversion, environment, io }: ConversionScene,
  wanted: ConvertArguments,
  work: (location: Location, source: string) => Promise<Report>,
): Promise<number> {
  const { source, ref, path, plugin, all } = wanted;
  const opened = await conversion.openPlugins({
    source,
    all,
    environment,
    ...(ref !== undefined && { ref }),
    ...(path !== undefined && { path }),
    ...(plugin !== undefined && { plugin }),
  });
  try {
    const reports: Report[] = [];
    const failures = [...opened.failures];
    for (const location of opened.plugins)
      try {
        reports.push(await work(location, opened.source));
      } catch (error) {
        if (!all) throw error;
        failures.push({ plugin: location.defaultName ?? location.dir, error });
      }
    printReports(conversion, reports, wanted, io);
    for (const { plugin: name, error } of failures)
      io.stderr(`gemini extensions ${verb}: ${oneLine(name)}: ${oneLine(messageOf(error))}`);
    return failures.length > 0 ? 1 : 0;
  } finally {
    opened.close();
  }
}

/** One plugin: an object; `--all`: a list. */
function printReports(
  { reportText }: Pick<ExtensionConversion, 'reportText'>,
  reports: readonly Report[],
  { format, all }: Pick<ConvertArguments, 'format' | 'all'>,
  io: SubcommandIo,
): void {
  if (format === 'json') io.stdout(`${JSON.stringify(all ? reports : reports[0], null, 2)}\n`);
  else io.stdout(reports.map((report) => safeText(reportText(report))).join('\n'));
}
