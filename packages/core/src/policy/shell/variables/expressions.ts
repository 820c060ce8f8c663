/**
 * Finds arithmetic expressions. Bash evaluates variable values again: if x is `PATH=1`, `$((x))` sets PATH; `a[$(id)]`
 * runs `id`. Only a closed expression is harmless: numbers, operators, and variables that this line sets to numbers.
 */
import type { SyntaxNode } from '../parsing/syntax-tree.js';
import type { Assignment, Word } from '../types.js';

/** Stands for an expression that is never closed. */
export const OPEN_EXPRESSION = '$(?)';

const COMPARISON = /\s-(?:eq|ne|lt|le|gt|ge)\s/g;
const NAMES_VARIABLE = /\s-[vR]\s/g;

/** The arithmetic that the node itself evaluates, without that of its descendants. */
export function expressionsIn(node: SyntaxNode): string[] {
  const { type, text } = node;
  if (type === 'arithmetic_expansion') return [text.startsWith('$((') ? text.slice(1) : OPEN_EXPRESSION];
  if (type === 'compound_statement') return text.startsWith('((') ? [text] : [];
  if (type === 'c_style_for_statement') return [loopHead(node)];
  if (type === 'subscript') return [indexIn(text)];
  if (type === 'array') return indexedIn(node);
  if (type === 'test_command') return testedIn(node);
  return type === 'expansion' ? expandedIn(text) : [];
}

/** The arithmetic of `test` and `[` as commands. */
export function expressionsOfTest(args: readonly Word[]): string[] {
  const isPlain = ({ literal, text }: Word) => literal && /^[A-Za-z_]\w*$/.test(text);
  const names = args.filter((_word, index) => /^-[vR]$/.test(args[index - 1]?.text ?? ''));
  // An unquoted expansion may become several words, operators among them; the first of two may be an operator.
  const maySplit = args.some(({ literal, source }) => !literal && !isOneWord(source));
  const operands = args.filter(({ text }) => text !== '!' && text !== ']');
  const mayBeOperator = operands.length === 2 && operands[0]?.literal === false;
  return maySplit || mayBeOperator || !names.every(isPlain) ? [OPEN_EXPRESSION] : [];
}

/** `"$x"`, or a number that the shell sets, such as `$?`. */
function isOneWord(source: string): boolean {
  return /^"[^"]*"$/.test(source) || /^\$[?#$!]$/.test(source);
}

function loopHead(node: SyntaxNode): string {
  const end = node.children.find(({ type }) => type === '))');
  const head = end ? node.text.slice(0, end.startIndex - node.startIndex) : node.text;
  return head.replace(/^for\s*/, '');
}

function indexIn(text: string): string {
  const index = /^\w+\[([\s\S]*)\]$/.exec(text)?.[1];
  if (index === undefined) return OPEN_EXPRESSION;
  return index === '@' || index === '*' ? '0' : index;
}

/** `a=([1]=x)` */
function indexedIn({ children }: SyntaxNode): string[] {
  const indexed = children.filter(({ text }) => text.startsWith('['));
  return indexed.map(({ text }) => /^\[(\w+)\]\+?=/.exec(text)?.[1] ?? OPEN_EXPRESSION);
}

/** `${x:1:2}` evaluates its numbers; `${!x}` takes the value of x as a variable name and evaluates its subscript. */
function expandedIn(text: string): string[] {
  if (/^\$\{!/.test(text)) return [OPEN_EXPRESSION];
  const slice = /^\$\{[\w@*]+(?:\[[^\]]*\])?:(?![-=+?])([\s\S]*)\}$/.exec(text)?.[1];
  return slice === undefined ? [] : [slice.replaceAll(':', ',')];
}

function testedIn(node: SyntaxNode): string[] {
  const isCompound = node.text.startsWith('[[');
  const names = node.text.match(NAMES_VARIABLE) ?? [];
  const plainNames = node.text.match(/\s-[vR]\s+[A-Za-z_]\w*(?=\s)/g) ?? [];
  if (names.length !== plainNames.length) return [OPEN_EXPRESSION];
  // `[` does not evaluate, but an unquoted expansion may become several words; `[[` evaluates both sides.
  if (!isCompound) return hasOpenWord(node) ? [OPEN_EXPRESSION] : [];
  const operands = [...node.text.matchAll(/(\S+)\s+-(?:eq|ne|lt|le|gt|ge)\s+(\S+)/g)];
  if (operands.length !== (node.text.match(COMPARISON) ?? []).length) return [OPEN_EXPRESSION];
  return operands.flatMap(([, left = '', right = '']) => [withoutQuotes(left), withoutQuotes(right)]);
}

function hasOpenWord(node: SyntaxNode): boolean {
  const expansions = node.descendantsOfType(['simple_expansion', 'expansion', 'command_substitution']);
  return expansions.some((item) => item && !isQuoted(item, node) && !isOneWord(item.text));
}

function isQuoted(item: SyntaxNode, top: SyntaxNode): boolean {
  for (let parent = item.parent; parent && parent.startIndex > top.startIndex; parent = parent.parent) {
    if (parent.type === 'string' || parent.type === 'command_substitution') return true;
  }
  return false;
}

function withoutQuotes(operand: string): string {
  return /^"([^"]*)"$/.exec(operand)?.[1] ?? operand;
}

/** Expansions that are always a number: a count, an exit code, a process id. */
const COUNTS = /\$\{#\w+(?:\[[@*]\])?\}|\$[?#$!]/g;

/** @param assignments all of the line and of the call */
export function isClosed(expression: string, assignments: readonly Assignment[]): boolean {
  const plain = expression.replace(COUNTS, '0').replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, '$1$2');
  if (!/^[\w\s+\-*/%<>=!&|?:(),;^~]*$/.test(plain)) return false;
  const names = plain.match(/(?<![\w])[A-Za-z_]\w*/g) ?? [];
  return names.every((name) => holdsNumbers(name, assignments));
}

function holdsNumbers(name: string, assignments: readonly Assignment[]): boolean {
  const own = assignments.filter((item) => item.name === name);
  return own.length > 0 && own.every(({ literal, value }) => literal && /^[-+]?\d{1,18}$/.test(value));
}
