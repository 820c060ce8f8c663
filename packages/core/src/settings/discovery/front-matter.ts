/** The few fields of a Markdown file's front matter that a list shows. No YAML library is loaded for them. */

export interface FrontMatter {
  name?: string;
  description?: string;
}

/** Undefined when the file does not begin with a `---` block. */
export function readFrontMatter(text: string): FrontMatter | undefined {
  const match = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return undefined;
  const block = match[1] ?? '';
  return { name: field(block, 'name'), description: field(block, 'description') };
}

/** A top-level field: its own line and the indented ones below it. */
function field(block: string, key: string): string | undefined {
  const lines = block.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => !/^[ \t]+\S/.test(line));
  const continued = rest.slice(0, end < 0 ? rest.length : end).map((line) => line.trim());
  const first = (lines[start] ?? '').slice(key.length + 1).trim();
  const parts = /^[|>][-+]?$/.test(first) ? continued : [first, ...continued];
  return unquote(parts.join(' ').trim()) || undefined;
}

function unquote(value: string): string {
  const quoted = /^(["'])(.*?)\1(?:\s+#.*)?$/.exec(value);
  return quoted ? (quoted[2] ?? '') : value.replace(/\s+#.*$/, '');
}
