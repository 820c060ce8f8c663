/** Parses the arguments of `gemini agents`. */

export type AgentsArguments =
  | { verb: 'list'; json: boolean }
  | { verb: 'validate'; json: boolean; path?: string; fix: boolean; yes: boolean; dryRun: boolean };

/** @returns what is wrong, as a string */
export function parseArguments(args: readonly string[]): AgentsArguments | string {
  const words: string[] = [];
  const flags = { json: false, fix: false, yes: false, dryRun: false };
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    const format = /^(?:-o|--output-format)(?:=(.*))?$/.exec(arg);
    if (format) {
      const value = format[1] ?? args[++index];
      if (value !== 'text' && value !== 'json') return `${arg} takes text or json.`;
      flags.json = value === 'json';
    } else if (arg === '--json') flags.json = true;
    else if (arg === '--fix') flags.fix = true;
    else if (arg === '--dry-run') flags.dryRun = true;
    else if (arg === '--yes' || arg === '-y') flags.yes = true;
    else if (arg === '--debug' || arg === '-d') continue;
    else if (arg.startsWith('-')) return `unknown argument "${arg}". See gemini agents --help.`;
    else words.push(arg);
  }
  const [verb = 'list', path, ...more] = words;
  const { json, ...validating } = flags;
  if (verb === 'list' && path === undefined) return { verb, json };
  if (verb === 'validate' && more.length === 0) return { verb, json, ...(path && { path }), ...validating };
  return verb === 'list' || verb === 'validate'
    ? `too many arguments for ${verb}.`
    : `unknown command "${verb}". Choose from list and validate.`;
}
