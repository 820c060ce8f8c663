/** Names and ids as the protocol allows them. Each is computed from the original alone, so no table is needed. */
import type { FunctionDeclaration } from '../../protocol/tool-declaration.js';

const NAME_LIMIT = 64;
/** OpenAI refuses longer call ids. */
const ID_LIMIT = 40;

/** A tool's name in `[A-Za-z0-9_-]{1,64}`; different names stay different. */
export function wireName(name: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  const mark = `_${digest(name)}`;
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME_LIMIT - mark.length) + mark;
}

export function wireId(id: string): string {
  return id.length <= ID_LIMIT && /^[A-Za-z0-9_-]+$/.test(id) ? id : `call_${digest(id)}`;
}

/** The original tool names for changed ones. */
export function originalNames(tools: readonly FunctionDeclaration[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name } of tools) {
    const sent = wireName(name);
    if (sent !== name) names.set(sent, name);
  }
  return names;
}

/** FNV-1a with 64 bits in two halves: short, and enough for the names of one session. */
function digest(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36);
}
