/** Edits settings in the text of a file, keeping comments, order, unknown keys and style. Loaded on first use. */
import { isDeepStrictEqual } from 'node:util';
import { type JsoncNode, type JsoncProperty, parseJsoncTree } from '../../base/jsonc.js';
import { isObject } from '../../base/objects.js';
import { formatPath, type KeyPath } from '../key-path.js';
import type { Move } from '../reading/migrate.js';
import { addItem, addProperty, indentAt, removeProperty, replaceValue } from './json-edit.js';

/** @param value undefined removes the key */
export function editText(text: string, keys: KeyPath, value: unknown): string {
  const base = text.trim() === '' ? '{}\n' : text;
  return value === undefined ? remove(base, keys) : put(base, keys, value);
}

/** Renames old settings. Values that already have the new name are kept. */
export function applyMoves(text: string, moves: readonly Move[]): string {
  let result = text;
  for (const { from, to, value } of moves) {
    if (to && formatPath(to) === formatPath(from)) {
      result = editText(result, to, value);
      continue;
    }
    const group = groupAt(result, from);
    result = removeWithEmptySections(result, from);
    if (!to) continue;
    const isNew = !propertyAt(result, to);
    result = addMissing(result, to, value);
    if (group !== undefined && isNew) result = withGroup(result, to, group);
  }
  return result;
}

/** The text of an object or list with its comments, without indentation. */
function groupAt(text: string, keys: KeyPath): string | undefined {
  const node = propertyAt(text, keys)?.node;
  if (typeof node?.value !== 'object' || node.value === null) return undefined;
  const indent = indentAt(text, node.offset);
  const written = text.slice(node.offset, endOf(node));
  return written.replaceAll(`\n${indent}`, '\n');
}

/** Later moves handle older names inside the group. */
function withGroup(text: string, keys: KeyPath, group: string): string {
  const property = propertyAt(text, keys);
  if (!property) return text;
  const { offset, length } = property.node;
  const indented = group.replaceAll('\n', `\n${indentAt(text, offset)}`);
  return text.slice(0, offset) + indented + text.slice(offset + length);
}

/** The property of exactly this key. */
function propertyAt(text: string, keys: KeyPath): JsoncProperty | undefined {
  const { property, rest } = follow(text, keys);
  return rest.length === 0 ? property : undefined;
}

function put(text: string, keys: KeyPath, value: unknown): string {
  const { object, property, rest } = follow(text, keys);
  const [key, ...below] = rest;
  if (property) {
    const added = rest.length === 0 ? itemsAdded(property.node, value) : undefined;
    return added
      ? added.reduce<string>((result, item) => append(result, keys, item), text)
      : replaceValue(text, property.node, nested(rest, value));
  }
  return key === undefined ? text : addProperty(text, object, String(key), nested(below, value));
}

/** The items at the end of a list that the text does not have; undefined when the text has others. */
function itemsAdded({ items }: JsoncNode, value: unknown): readonly unknown[] | undefined {
  if (!items || !Array.isArray(value) || value.length < items.length) return undefined;
  const begins = items.every((item, index) => isDeepStrictEqual(item.value, value[index]));
  return begins ? value.slice(items.length) : undefined;
}

/** Keeps the other items and their comments. */
function append(text: string, keys: KeyPath, item: unknown): string {
  const node = propertyAt(text, keys)?.node;
  return node ? addItem(text, node, item) : text;
}

/** Removes every occurrence: of a repeated key the other one would count. */
function remove(text: string, keys: KeyPath): string {
  let result = text;
  for (let found = follow(result, keys); found.rest.length === 0; found = follow(result, keys)) {
    if (!found.property) break;
    result = removeProperty(result, found.object, found.property);
  }
  return result;
}

function removeWithEmptySections(text: string, keys: KeyPath): string {
  const result = remove(text, keys);
  const section = keys.slice(0, -1);
  const { property, rest } = follow(result, section);
  if (section.length === 0 || !property || rest.length > 0) return result;
  const inner = result.slice(property.node.offset + 1, endOf(property) - 1);
  return inner.trim() === '' ? removeWithEmptySections(result, section) : result;
}

function addMissing(text: string, keys: KeyPath, value: unknown): string {
  const { property, rest } = follow(text, keys);
  if (!property || rest.length > 0) return put(text, keys, value);
  if (!property.node.properties || !isObject(value)) return text;
  return Object.entries(value).reduce(
    (result, [key, item]) => addMissing(result, [...keys, key], item),
    text,
  );
}

interface Followed {
  /** The innermost object on the path. */
  object: JsoncNode;
  /** Set when the path ends at a value: the wanted one, or one that is not an object. */
  property?: JsoncProperty;
  /** Keys that are not in the text. */
  rest: KeyPath;
}

function follow(text: string, keys: KeyPath): Followed {
  let object = parseJsoncTree(text);
  for (const [index, key] of keys.entries()) {
    const property = object.properties?.findLast((item) => item.key === key);
    if (!property) return { object, rest: keys.slice(index) };
    const rest = keys.slice(index + 1);
    if (rest.length === 0 || !property.node.properties) return { object, property, rest };
    object = property.node;
  }
  return { object, rest: [] };
}

function endOf({ offset, length }: { offset: number; length: number }): number {
  return offset + length;
}

function nested(keys: KeyPath, value: unknown): unknown {
  return keys.reduceRight<unknown>((inner, key) => ({ [String(key)]: inner }), value);
}
