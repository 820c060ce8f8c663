/** Parses the arguments of `gemini hooks`. */

export type HooksArguments =
  | { verb: 'list'; json: boolean }
  | { verb: 'enable' | 'disable'; name: string }
  | { verb: 'migrate'; fromClaude: boolean };

const USAGE: Readonly<Record<HooksArguments['verb'], string>> = {
  list: 'list [-o text|json]',
  enable: 'enable <name>',
  disable: 'disable <name>',
  migrate: 'migrate --from-claude',
};

export const MIGRATE_USAGE = `Usage: gemini hooks ${USAGE.migrate}

Takes the hooks of .claude/settings.local.json or .claude/settings.json of this folder over into
.gemini/settings.json. Existing hooks and comments stay.`;

/** @returns what is wrong, as a string */
export function parseArguments(args: readonly string[]): HooksArguments | string {
  const [verb = '', ...rest] = args.filter((arg) => arg !== '--debug' && arg !== '-d');
  switch (verb) {
    case 'list':
      return listArguments(rest);
    case 'enable':
    case 'disable': {
      // A hook without a name goes by its command, which may begin with "-".
      const words = rest[0] === '--' ? rest.slice(1) : rest;
      const name = words.join(' ').trim();
      return name === '' ? usageOf(verb) : { verb, name };
    }
    case 'migrate': {
      const unknown = rest.find((arg) => arg !== '--from-claude');
      return unknown === undefined ? { verb, fromClaude: rest.length > 0 } : unknownArgument(unknown, verb);
    }
    default: {
      const all = Object.keys(USAGE).join(', ');
      const problem = verb === '' ? 'a command is missing' : `unknown command "${verb}"`;
      return `${problem}. Choose one of: ${all}.`;
    }
  }
}

const FORMAT = /^(?:-o|--output-format)(?:=(.*))?$/;

function listArguments(args: readonly string[]): HooksArguments | string {
  let format = 'text';
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    const flag = FORMAT.exec(arg);
    if (!flag) return unknownArgument(arg, 'list');
    format = flag[1] ?? args[++at] ?? '';
    if (format !== 'text' && format !== 'json') return `unknown format "${format}". Choose text or json.`;
  }
  return { verb: 'list', json: format === 'json' };
}

function unknownArgument(arg: string, verb: HooksArguments['verb']): string {
  return `unknown argument "${arg}". ${usageOf(verb)}`;
}

function usageOf(verb: HooksArguments['verb']): string {
  return `usage: gemini hooks ${USAGE[verb]}.`;
}
