/** Names for the tools of one server, unique in the session: no server takes a name of another one's tool. */
import { modelToolName, numberedName } from './tool-names.js';

/** A server of the session, as names see it. */
export interface NamedServer {
  /** Of its name in tool names. */
  part: string;
  tools: readonly { name: string }[];
}

/** Names may only be equal where one server's part continues the other's, or both are cut. */
const UNCUT = 26;

/**
 * @param before servers that keep their names
 * @returns the name for the model by the tool's own name
 */
export function assignNames(own: NamedServer, before: readonly NamedServer[]): Map<string, string> {
  const taken = new Set(
    before.flatMap(({ part, tools }) => tools.map(({ name }) => modelToolName(part, name))),
  );
  const names = new Map<string, string>();
  const later = new Map<string, string>();
  for (const { name } of own.tools) {
    if (names.has(name) || later.has(name)) continue;
    const wanted = modelToolName(own.part, name);
    if (taken.has(wanted)) later.set(name, wanted);
    else {
      taken.add(wanted);
      names.set(name, wanted);
    }
  }
  for (const [name, wanted] of later) {
    let count = 2;
    while (taken.has(numberedName(wanted, count))) count++;
    taken.add(numberedName(wanted, count));
    names.set(name, numberedName(wanted, count));
  }
  return names;
}

/**
 * The others that may want the same names: those that keep them, and those that give way. The longer name keeps them, as
 * where a rule names a tool; else the first.
 */
export function rivalsOf<S extends { part: string }>(own: S, all: readonly S[]): { before: S[]; after: S[] } {
  const rivals = all.filter((other) => other !== own && mayClash(own.part, other.part));
  const isBefore = (other: S) =>
    other.part.length === own.part.length
      ? all.indexOf(other) < all.indexOf(own)
      : other.part.length > own.part.length;
  return { before: rivals.filter(isBefore), after: rivals.filter((other) => !isBefore(other)) };
}

function mayClash(a: string, b: string): boolean {
  return b.startsWith(`${a}_`) || a.startsWith(`${b}_`) || a.slice(0, UNCUT) === b.slice(0, UNCUT);
}
