/** Joins the fragments of tool calls; returns only complete calls, and only all of them together. */
import { isObject, objectOf } from '../../base/objects.js';
import type { FunctionCall } from '../../protocol/messages.js';

type Fields = Record<string, unknown>;

interface Fragment {
  index: number | undefined;
  id: string;
  name: string;
  pieces: string[];
  /** Some servers send an object instead of JSON text. */
  object?: Fields;
}

/** More arguments than any tool takes; an endless stream must not fill our memory. */
const ARGUMENTS_LIMIT = 32 * 1024 * 1024;

export class CallFragments {
  private readonly calls: Fragment[] = [];
  private size = 0;
  private isOverfull = false;

  get isEmpty(): boolean {
    return this.calls.length === 0;
  }

  /** An element of `delta.tool_calls`. */
  add(fragment: Fields): void {
    const inner = objectOf(fragment['function']);
    const id = textOr(fragment['id']);
    const name = textOr(inner['name']);
    const index = typeof fragment['index'] === 'number' ? fragment['index'] : undefined;
    const call = this.callFor(index, id, name);
    if (id && !call.id) call.id = id;
    // Names come at once, repeated with every fragment, or in pieces before the arguments.
    if (name && name !== call.name && call.pieces.length === 0) call.name += name;
    const given = inner['arguments'];
    if (typeof given === 'string') this.addPiece(call, given);
    else if (isObject(given)) call.object = given;
  }

  /** Undefined as soon as one call is unreadable: running only some of the calls is not what the model asked for. */
  finish(
    idFor: (name: string, index: number) => string,
    nameOf: (name: string) => string,
  ): FunctionCall[] | undefined {
    if (this.isOverfull) return undefined;
    const calls: FunctionCall[] = [];
    for (const [index, call] of this.calls.entries()) {
      const args = call.object ?? parseArguments(call.pieces.join(''));
      if (!args) return undefined;
      const name = nameOf(call.name);
      calls.push({ id: call.id || idFor(name, index), name, args });
    }
    return calls;
  }

  /** Whether the last call has no arguments yet: in a cut answer they may be missing. */
  endsWithoutArguments(): boolean {
    const last = this.calls.at(-1);
    return last !== undefined && !last.object && last.pieces.length === 0;
  }

  private addPiece(call: Fragment, piece: string): void {
    if (piece === '') return;
    this.size += piece.length;
    if (this.size > ARGUMENTS_LIMIT) this.isOverfull = true;
    else call.pieces.push(piece);
  }

  private callFor(index: number | undefined, id: string, name: string): Fragment {
    const last = this.calls.at(-1);
    const known =
      index === undefined
        ? last
        : last?.index === index
          ? last
          : this.calls.findLast((call) => call.index === index);
    // Some servers send several calls under one index: another id and a name start a new one.
    const isAnother = known && id && known.id && known.id !== id && name;
    if (known && !isAnother) return known;
    const call = { index, id, name: '', pieces: [] };
    this.calls.push(call);
    return call;
  }
}

function parseArguments(text: string): Fields | undefined {
  if (text.trim() === '') return {};
  try {
    let value: unknown = JSON.parse(text);
    // Some templates encode the arguments twice.
    if (typeof value === 'string') value = JSON.parse(value);
    if (value === null) return {};
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
