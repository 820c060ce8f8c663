/** The files generated from the settings tables, with their paths in the repository. */
import { settingsJsonSchema } from './json-schema.js';
import { settingsPage } from './reference-page.js';

export function generatedFiles(): { path: string; content: string }[] {
  return [
    { path: 'schemas/settings.schema.json', content: `${formatJson(settingsJsonSchema(), '')}\n` },
    { path: 'docs/settings.md', content: settingsPage() },
  ];
}

const WIDTH = 110;

/** Formatted as Biome does: short lists on one line. */
function formatJson(value: unknown, indent: string, before = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    const isPlain = value.every((item) => typeof item !== 'object');
    if (isPlain && before + line.length < WIDTH) return line;
    return `[\n${value.map((item) => inner + formatJson(item, inner)).join(',\n')}\n${indent}]`;
  }
  const lines = Object.entries(value).map(([key, item]) => {
    const name = `${inner}${JSON.stringify(key)}: `;
    return name + formatJson(item, inner, name.length);
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`;
}
