/** TOML text as a table. The parser is loaded with the first text. */

/** @throws Error with the line and the reason, without an excerpt of the text */
export async function parseToml(text: string): Promise<Record<string, unknown>> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.split('\n');
    throw new Error(`line ${error.line}: ${reason}`, { cause: error });
  }
}
