/** Finds variables that arithmetic sets: `$((PATH=1))` changes what every later command runs. */
import type { SyntaxNode } from '../parsing/syntax-tree.js';

const ARITHMETIC = new Set([
  'arithmetic_expansion',
  'c_style_for_statement',
  'subscript',
  'postfix_expression',
]);

function evaluatesArithmetic(node: SyntaxNode): boolean {
  const { type } = node;
  if (ARITHMETIC.has(type)) return true;
  if (type === 'test_command') return comparesNumbers(node);
  if (type === 'compound_statement') return node.text.startsWith('((');
  if (type === 'command_name') return node.text === 'let' || node.text === 'test';
  // `${!x}` takes the value of x as a variable name and evaluates its subscript.
  return type === 'expansion' && /[:[!]/.test(node.text);
}

function comparesNumbers({ text }: SyntaxNode): boolean {
  return /\s-(?:eq|ne|lt|le|gt|ge|v|R)\s/.test(text);
}

/** `${x:=value}` sets x. */
const DEFAULT_VALUE = /^\$\{([A-Za-z_]\w*)(?:\[[^\]]*\])?:?=/;
/** The target of an assignment operator; comparisons do not match. */
const TARGETS = /([\w$(){}[\]]*)\s*(?:(?:<<|>>)=|[-+*/%&|^]?(?<![=!<>])=(?!=))/g;

/** Variables that a node sets although it is not an assignment. Undefined: they cannot be determined. */
export function namesAssignedIn(node: SyntaxNode): string[] | undefined {
  const { type } = node;
  if (type === 'test_command') return comparesNumbers(node) && mayAssign(node) ? undefined : [];
  const byDefault = type === 'expansion' ? DEFAULT_VALUE.exec(node.text)?.[1] : undefined;
  const names = byDefault ? [byDefault] : [];
  if (type === 'command_name' || !evaluatesArithmetic(node)) return names;
  const found = namesInExpression(expressionOf(node), byDefault !== undefined);
  return found && [...names, ...found];
}

/**
 * Variables that an arithmetic expression sets. Undefined: they cannot be determined.
 * @param isDefault it is a `${x:=…}`, whose own name is known
 */
export function namesInExpression(expression: string, isDefault = false): string[] | undefined {
  const names: string[] = [];
  // Bash removes quotes and line continuations before it evaluates the expression.
  const text = expression.replace(/\\\n|["'\\]/g, '');
  if (/\+\+|--/.test(text)) names.push(...(text.match(/[A-Za-z_]\w*/g) ?? []));
  for (const [, token = ''] of text.matchAll(TARGETS)) {
    const name = /^(?:.*[[({])?([A-Za-z_]\w*)$/.exec(token)?.[1];
    if (!name || /[\]})]|\$[\w{]/.test(token)) {
      if (token !== '' || !isDefault) return undefined;
    } else names.push(name);
  }
  return names;
}

/** Without the body of a loop, which is visited by itself. */
function expressionOf(node: SyntaxNode): string {
  if (node.type !== 'c_style_for_statement') return node.text;
  const end = node.children.find(({ type }) => type === '))');
  return end ? node.text.slice(0, end.startIndex - node.startIndex) : node.text;
}

/** Whether an operand of a numeric comparison is an assignment: `[[ PATH=1 -eq 1 ]]`. */
function mayAssign(node: SyntaxNode): boolean {
  const quoted = node.descendantsOfType(['raw_string', 'string', 'ansi_c_string']);
  if (quoted.some((item) => /=|\+\+|--/.test(item?.text ?? ''))) return true;
  return /[\w\]})]=(?!=)|\+\+|--|\\/.test(node.text);
}
