/** What an approval is an approval of: one tool with these very arguments. */
import { stableJson } from '../../policy/rules/stable-json.js';
import type { AnyToolInvocation } from '../../tools/tools.js';

type Arguments = Readonly<Record<string, unknown>>;

/** Equal for equal calls only, however their arguments are ordered. */
export function fingerprintOf(toolName: string, invocation: AnyToolInvocation): string {
  return `${JSON.stringify(toolName)} ${stableJson(argumentsOf(invocation))}`;
}

/** What the tool made of the arguments. A tool that keeps none has none. */
export function argumentsOf({ params }: AnyToolInvocation): Record<string, unknown> {
  return (params ?? {}) as Record<string, unknown>;
}

/** True when something the model sent is not in what the tool shows: names may change on the way, values not. */
export function hidesSomeOf(sent: Arguments, shown: Arguments): boolean {
  const values = new Set(Object.values(shown).map(valueText));
  return Object.values(sent).some((value) => !values.has(valueText(value)));
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : stableJson({ value });
}

/** SHA-256 of the fingerprint, short enough to travel with a question. */
export async function digestOf(fingerprint: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(fingerprint).digest('hex');
}
