/** Writes a command file. */

export function commandToml(description: string, prompt: string): string {
  const first = description === '' ? '' : `description = ${basicString(description)}\n`;
  return `${first}prompt = ${promptString(prompt)}\n`;
}

/** What a literal string cannot hold: three quotes in a row, quotes at its end, control characters. */
const NEEDS_ESCAPES = /'''|'$|[\u0000-\u0008\u000b-\u001f\u007f]|[\ud800-\udfff]/;

function promptString(prompt: string): string {
  const text = prompt.replace(/\r\n?/g, '\n');
  // Pairs of surrogates are characters; only lone ones are a problem.
  return NEEDS_ESCAPES.test(text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ''))
    ? basicString(text)
    : `'''\n${text}'''`;
}

function basicString(text: string): string {
  const whole = text.replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    '\ufffd',
  );
  return JSON.stringify(whole).replaceAll('\u007f', '\\u007f');
}
