/** `gemini extensions import`: installs a Claude Code plugin, as an extension or directly into the home folder. */
import { join } from 'node:path';
import { environmentOf, globalGeminiDir, loadExtensionConversion } from '@gemini-cli/core';
import { oneLine, safeText } from '../../output/output.js';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand, SubcommandIo } from '../subcommand.js';
import { reportEach } from './conversion-report.js';
import { type ConvertArguments, parseConvertArguments } from './convert-arguments.js';

const run: Subcommand = async (args, io) => {
  const wanted = parseConvertArguments('import', args);
  if (typeof wanted === 'string') {
    io.stderr(`gemini extensions import: ${oneLine(wanted)}`);
    return 1;
  }
  if (wanted.remove) return remove(wanted, io);
  return wanted.to === 'home' ? importHome(wanted, io) : importExtension(wanted, io);
};

export default run;

function homeOf({ scope }: ConvertArguments, io: SubcommandIo): string {
  return scope === 'workspace' ? join(currentDirectory(), '.gemini') : globalGeminiDir(io.env);
}

async function remove(wanted: ConvertArguments, io: SubcommandIo): Promise<number> {
  const { removeHome } = await loadExtensionConversion();
  const { name, removed, rows } = await removeHome(homeOf(wanted, io), wanted.source, new Date());
  if (wanted.format === 'json') io.stdout(`${JSON.stringify({ plugin: name, removed, rows }, null, 2)}\n`);
  else {
    const lines = rows.map(
      ({ source, target, reason }) => `  ${source}${target ? ` -> ${target}` : ''}: ${reason ?? ''}`,
    );
    io.stdout(safeText([`Removed plugin "${name}": ${removed} entries.`, ...lines, ''].join('\n')));
  }
  return 0;
}

async function importHome(wanted: ConvertArguments, io: SubcommandIo): Promise<number> {
  const conversion = await loadExtensionConversion();
  const environment = environmentOf(io.env, currentDirectory());
  const { options, dryRun, force } = wanted;
  const home = homeOf(wanted, io);
  return reportEach({ verb: 'import', conversion, environment, io }, wanted, async (location, source) => {
    const read = await conversion.readPlugin(location, options);
    const converted = await conversion.convertPlugin(read, options, { kind: 'home', dir: home });
    const installed = await conversion.installHome({
      home,
      converted,
      source,
      force,
      dryRun,
      now: new Date(),
    });
    const { name, version } = converted;
    const rows = [...converted.rows, ...installed.rows];
    const counts = conversion.countRows(rows);
    const { unchanged } = installed;
    return { plugin: name, version, output: home, written: !dryRun, unchanged, counts, rows };
  });
}

/** The installation converts the plugin, now and with each update. */
async function importExtension(wanted: ConvertArguments, io: SubcommandIo): Promise<number> {
  const { source, ref, path, plugin, options, consent } = wanted;
  if (wanted.dryRun) return (await import('./convert.js')).convert(wanted, io);
  if (wanted.all) {
    io.stderr(
      'gemini extensions import: an extension is one plugin. Import each with --plugin, or use --all with --to home or ' +
        'with gemini extensions convert.',
    );
    return 1;
  }
  const own = chosen(options);
  const conversion = {
    ...(plugin !== undefined && { plugin }),
    ...(Object.keys(own).length > 0 && { options: own }),
  };
  const { installFrom } = await import('./install.js');
  const request = {
    source,
    convertedFrom: 'claude-plugin' as const,
    ...(ref !== undefined && { ref }),
    ...(path !== undefined && { path }),
    ...(Object.keys(conversion).length > 0 && { conversion }),
  };
  return installFrom(request, { consents: consent }, io);
}

/** What differs from the defaults: each update converts so again. */
function chosen(options: ConvertArguments['options']): Record<string, unknown> {
  const isDefault = ([key, value]: [string, unknown]) =>
    key === 'hooks'
      ? value !== false
      : value === undefined ||
        value === false ||
        (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(options).filter((pair) => !isDefault(pair)));
}
