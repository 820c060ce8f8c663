/** Prepares attribute values for export: strings redacted, objects as JSON, nothing undefined. */
import { redactDeep } from '../../platform/redaction/redact-value.js';
import { type AttributeValue, JsonText } from '../record.js';
import type { ExportedAttributes, ExportedValue } from './data.js';

export type Redact = (text: string) => string;

export function exportAttributes(
  attributes: Readonly<Record<string, AttributeValue>>,
  redact: Redact,
  shape: (text: string) => string = (text) => text,
): ExportedAttributes {
  const exported: ExportedAttributes = {};
  for (const [key, value] of Object.entries(attributes)) {
    const clean = exportValue(value, redact, shape);
    if (clean !== undefined) exported[key] = clean;
  }
  return exported;
}

function exportValue(
  value: AttributeValue,
  redact: Redact,
  shape: (text: string) => string,
): ExportedValue | undefined {
  if (typeof value === 'string') return shape(redact(value));
  if (typeof value !== 'object') return value;
  if (value instanceof JsonText) return shape(jsonOf(value.make(), redact));
  if (isList(value)) return value.map((item) => shape(redact(item)));
  return exportAttributes(value, redact, shape);
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value);
}

/** Redacted before it becomes JSON, where a secret with a quote or a line end looks different. */
function jsonOf(value: unknown, redact: Redact): string {
  try {
    return JSON.stringify(redactDeep(value, redact)) ?? '';
  } catch (error) {
    return `"[not representable: ${error instanceof Error ? redact(error.message) : 'unknown'}]"`;
  }
}

/**
 * Without `logPrompts` a hook without a name is shown by its program only: arguments and variables may contain secrets.
 */
export function bareCommand(command: string): string {
  const words = command.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const program = words.find((word) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word)) ?? '';
  const name = program
    .replace(/^["']|["']$/g, '')
    .split(/[\\/]/)
    .at(-1);
  return name || 'unknown-command';
}
