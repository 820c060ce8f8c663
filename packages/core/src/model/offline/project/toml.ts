/** The little of TOML that manifests need: sections with plain string values and their raw text. */

export interface TomlSections {
  text(section: string, key: string): string | undefined;
  has(section: string): boolean;
  /** The lines of a section as written. */
  raw(section: string): string;
}

export function readToml(content: string): TomlSections {
  const sections = new Map<string, string[]>([['', []]]);
  let current = sections.get('') ?? [];
  for (const line of content.split('\n')) {
    const header = /^\s*\[\[?([^\]]+)\]\]?\s*(?:#.*)?$/.exec(line);
    if (!header?.[1]) {
      current.push(line);
      continue;
    }
    const name = header[1].trim();
    current = sections.get(name) ?? [];
    sections.set(name, current);
  }
  const raw = (section: string) => (sections.get(section) ?? []).join('\n');
  return {
    raw,
    has: (section) => sections.has(section),
    text(section, key) {
      const line = new RegExp(`^\\s*${key}\\s*=\\s*(?:"((?:\\\\.|[^"\\\\])*)"|'([^']*)')`, 'm').exec(
        raw(section),
      );
      return line ? (line[1] ?? line[2] ?? '').replace(/\\(["\\])/g, '$1') || undefined : undefined;
    },
  };
}
