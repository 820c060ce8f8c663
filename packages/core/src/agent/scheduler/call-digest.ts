/** Fingerprint of a call: the tool and its exact arguments. An approval holds for one fingerprint. */
import { stableJson } from '../../policy/rules/stable-json.js';
import type { AnyToolInvocation } from '../../tools/tools.js';

type Arguments = Readonly<Record<string, unknown>>;

/** Equal for equal calls only, regardless of argument order. */
export function fingerprintOf(toolName: string, invocation: AnyToolInvocation): string {
  return `${JSON.stringify(toolName)} ${stableJson(argumentsOf(invocation))}`;
}

/** The arguments as the tool understood them; empty for a tool that keeps none. */
export function argumentsOf({ params }: AnyToolInvocation): Record<string, unknown> {
  return (params ?? {}) as Record<string, unknown>;
}

/** True when the tool's parameters lack a value that the model sent; names may change, values not. */
export function hidesSomeOf(sent: Arguments, shown: Arguments): boolean {
  const values = new Set(Object.values(shown).map(valueText));
  return Object.values(sent).some((value) => !values.has(valueText(value)));
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : stableJson({ value });
}

/** SHA-256 of the fingerprint, short enough to go with a question. */
export async function digestOf(fingerprint: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(fingerprint).digest('hex');
}
