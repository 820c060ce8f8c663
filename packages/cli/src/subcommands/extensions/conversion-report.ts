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
    return printReports(conversion, { reports, failures }, { ...wanted, verb }, io);
  } finally {
    opened.close();
  }
}

/** With `--all`: a plugin that could not be converted. */
interface ConversionFailure {
  plugin: string;
  error: unknown;
}

/** One plugin: an object; `--all`: a list, which also has the failures. @returns the exit code */
function printReports(
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
