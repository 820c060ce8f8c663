/** `$NAME`, `${NAME}`, `${NAME:-default}` and `${env:NAME}` in text from settings and manifests. */

const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\})/g;

/**
 * A name without value and default stays as written. `$1`, `$$`, `$(…)`, `${input:x}` and `${a.b}` are not variables.
 * @param lookup undefined: the name has no value; an empty value gives way to a default, as in a shell
 */
export function expandVariables(text: string, lookup: (name: string) => string | undefined): string {
  return text.replace(VARIABLE, (written, bare?: string, braced?: string, fallback?: string) => {
    const value = lookup(bare ?? braced ?? '');
    if (fallback !== undefined) return value || fallback;
    return value ?? written;
  });
}

/** Replaces `${key}` for each given key; other placeholders stay. */
export function fillPlaceholders(
  text: string,
  variables: Readonly<Record<string, string>> | undefined,
): string {
  if (!variables) return text;
  return text.replace(/\$\{([^{}]+)\}/g, (whole, key: string) =>
    Object.hasOwn(variables, key) ? (variables[key] ?? whole) : whole,
  );
}
