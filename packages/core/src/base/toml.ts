/** Parses TOML. The library is loaded on first use. */
/** @throws Error with line and reason, without an excerpt of the text, which may be secret */
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
