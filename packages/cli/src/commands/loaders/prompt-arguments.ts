/** Parses the arguments of an MCP prompt: `--name="value"`, or values in the declared order. */

interface Declared {
  name: string;
  required?: boolean;
}

/** @returns the values by name, or what is wrong as a string */
export function parsePromptArguments(
  args: string,
  declared: readonly Declared[],
): Record<string, string> | string {
  const values: Record<string, string> = {};
  const positional: string[] = [];
  for (const { name, value } of words(args)) {
    if (name === undefined) positional.push(value);
    // Other names are ignored, as in Gemini CLI.
    else if (declared.some((argument) => argument.name === name)) values[name] = value;
  }
  const open = declared.filter(({ name }) => !Object.hasOwn(values, name));
  const [first, ...others] = open;
  // One argument takes the whole text: people do not quote sentences.
  if (first && others.length === 0 && positional.length > 1) values[first.name] = positional.join(' ');
  else if (positional.length > open.length) return 'there are more values than arguments.';
  else
    open.slice(0, positional.length).forEach(({ name }, index) => {
      values[name] = positional[index] ?? '';
    });
  const missing = declared.filter(({ name, required }) => required && !Object.hasOwn(values, name));
  return missing.length > 0 ? `missing: ${missing.map(({ name }) => `--${name}="…"`).join(' ')}` : values;
}

const WORD = /(?:--([\w.-]+)=)?("(?:\\.|[^"\\])*"|'[^']*'|\S+)/g;

function words(args: string): { name: string | undefined; value: string }[] {
  return [...args.matchAll(WORD)].map(([, name, text = '']) => ({ name, value: unquote(text) }));
}

function unquote(text: string): string {
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1);
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/g, '$1');
}
