/**
 * Finds places where the grammar reads a text differently from bash. A command hidden there would never be judged, so
 * the whole text counts as unreadable.
 */
import type { SyntaxNode } from './syntax-tree.js';

/** Node types that the parser handles. */
const KNOWN = new Set(
  `program command command_name word number string string_content raw_string ansi_c_string
  concatenation simple_expansion expansion variable_name special_variable_name command_substitution
  process_substitution arithmetic_expansion brace_expression variable_assignment variable_assignments subscript
  array declaration_command unset_command test_command redirected_statement file_redirect file_descriptor
  herestring_redirect heredoc_redirect heredoc_start heredoc_body heredoc_content heredoc_end pipeline list
  subshell compound_statement function_definition if_statement elif_clause else_clause for_statement
  c_style_for_statement while_statement do_group case_statement case_item negated_command comment
  unary_expression binary_expression ternary_expression parenthesized_expression postfix_expression
  test_operator regex extglob_pattern`.split(/\s+/),
);

/** Leaf nodes whose text bash never expands. */
const INERT = new Set(['raw_string', 'ansi_c_string', 'comment', 'heredoc_start', 'heredoc_end']);
const INVISIBLE = /[^\P{White_Space} \t\n]|[\p{Cf}\u{E0000}-\u{E007F}]/u;
const HIDDEN_SUBSTITUTION = /(?<!\\)(?:\\\\)*(?:`|\$\()/;

/** Bash removes line continuations before it looks for substitutions. */
function hidesSubstitution(text: string): boolean {
  const joined = text.replace(/\\([\s\S])/g, (pair, character) => (character === '\n' ? '' : pair));
  return HIDDEN_SUBSTITUTION.test(joined);
}

/** Control characters; checked before parsing. */
export function hasForbiddenCharacter(text: string): boolean {
  return /[\x00-\x08\x0b-\x1f\x7f]/.test(text);
}

export function isSoundNode(node: SyntaxNode, text: string): boolean {
  if (!node.isNamed) return true;
  if (!KNOWN.has(node.type)) return false;
  if (node.type === 'comment') return isSoundComment(node, text);
  if (node.type === 'command_substitution') return isSoundSubstitution(node);
  if (node.type === 'heredoc_redirect') return isSoundHereDocument(node, text);
  if (node.type === 'expansion') return isSoundExpansion(node);
  if (node.type === 'heredoc_body') return true;
  // `[` ends at a line break like any command; `[[` continues until it is closed.
  if (node.type === 'test_command' && !node.text.startsWith('[[') && hasLineBreak(node.text)) return false;
  if (node.type === 'string' && hidesSubstitution(withoutExpansions(node, node.text))) return false;
  if (node.childCount > 0 || INERT.has(node.type)) return true;
  if (hidesSubstitution(node.text)) return false;
  if (node.type === 'string_content' || node.type === 'heredoc_content') return true;
  return !INVISIBLE.test(node.text) && !/[<>]\(/.test(node.text);
}

/** Checks the text between nodes: bash knows three kinds of blanks, the grammar many more. */
export function hasSoundGaps(node: SyntaxNode, text: string): boolean {
  let end = node.startIndex;
  let wordEnd = -1;
  let before = '';
  for (const child of node.children) {
    // `$"…"` is translated, and the translation is expanded.
    if (before === '$' && child.type === 'string' && child.startIndex === end) return false;
    before = child.type;
    if (!isSoundGap(text, end, child.startIndex, node.type)) return false;
    end = child.endIndex;
    if (!HOLDS_WORDS.has(node.type) || !WORDS.has(child.type)) continue;
    // `{PATH}\>x` and `{`pwd`/x,y}` are one word to bash, two to the grammar.
    if (child.startIndex === wordEnd) return false;
    wordEnd = end;
  }
  return node.childCount === 0 || isSoundGap(text, end, node.endIndex, node.type);
}

const HOLDS_WORDS = new Set(['command', 'file_redirect', 'herestring_redirect', 'heredoc_redirect']);
const WORDS = new Set(
  `command_name variable_assignment word number string raw_string ansi_c_string translated_string concatenation
  simple_expansion expansion command_substitution process_substitution arithmetic_expansion brace_expression`.split(
    /\s+/,
  ),
);

function isSoundGap(text: string, start: number, end: number, type: string): boolean {
  if (end <= start || type === 'string' || type === 'heredoc_body' || type === 'expansion') return true;
  const gap = text.slice(start, end);
  // Bash joins the two sides of a line continuation; the grammar sees two words.
  const touchesBoth = !/\s/.test(text.charAt(start - 1)) && !/\s/.test(text.charAt(end));
  if (/^(?:\\\n)+$/.test(gap) && touchesBoth) return false;
  if (ON_ONE_LINE.has(type) && hasLineBreak(gap)) return false;
  return !INVISIBLE.test(gap);
}

/**
 * Bash ends all of these at a line break. The grammar sometimes reads the break as a blank, after a pipe and before a
 * list or a redirection, and the next command as arguments.
 */
const ON_ONE_LINE = new Set(
  `command command_name redirected_statement file_redirect herestring_redirect variable_assignment
  variable_assignments declaration_command unset_command negated_command concatenation`.split(/\s+/),
);

function hasLineBreak(text: string): boolean {
  return text.replaceAll('\\\n', '').includes('\n');
}

function isSoundComment(node: SyntaxNode, text: string): boolean {
  const before = text.charAt(node.startIndex - 1);
  if (before !== '' && !/[\s;&|()]/.test(before)) return false;
  if (node.text.includes('`')) return false;
  for (let parent = node.parent; parent; parent = parent.parent) {
    if (parent.type === 'command_substitution' || parent.type === 'process_substitution') return false;
  }
  return true;
}

/** Inside backticks a backslash escapes nested backticks. */
function isSoundSubstitution(node: SyntaxNode): boolean {
  return !(node.text.startsWith('`') && node.text.includes('\\'));
}

/** `${x@P}` runs the variable's value; the grammar does not see backticks inside braces. */
function isSoundExpansion(node: SyntaxNode): boolean {
  if (/@[A-Za-z]\}$/.test(node.text)) return false;
  if (!node.text.includes('`') && !node.text.includes('$(')) return true;
  const covered = node.descendantsOfType(['command_substitution', 'raw_string', 'arithmetic_expansion']);
  let rest = node.text;
  for (const child of covered) rest = rest.replace(child?.text ?? '', '');
  return !hidesSubstitution(rest);
}

/** Checks the end of a here-document again, because commands follow it. */
function isSoundHereDocument(node: SyntaxNode, text: string): boolean {
  const child = (type: string) => node.children.find((item) => item.type === type);
  const [start, body, end] = [child('heredoc_start'), child('heredoc_body'), child('heredoc_end')];
  if (!start || !end) return false;
  const match = /^(?:'([\w.-]+)'|"([\w.-]+)"|\\?([\w.-]+))$/.exec(start.text);
  const delimiter = match?.[1] ?? match?.[2] ?? match?.[3];
  if (!delimiter || end.text.trim() !== delimiter) return false;
  const stripsTabs = node.children.some(({ type }) => type === '<<-');
  const firstLine = text.indexOf('\n', start.endIndex);
  const lastLine = text.lastIndexOf('\n', end.endIndex - 1);
  if (firstLine < 0 || lastLine < firstLine) return false;
  const bodyText = text.slice(firstLine + 1, Math.max(firstLine + 1, lastLine));
  const isEnd = (line: string) => (stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter;
  const after = text.indexOf('\n', end.endIndex);
  if (!isEnd(text.slice(lastLine + 1, after < 0 ? text.length : after))) return false;
  if (bodyText.split('\n').some(isEnd)) return false;
  if (isQuotedHereDocument(node)) return true;
  if (/\\(?:\n|$)/.test(bodyText)) return false;
  return !hidesSubstitution(withoutExpansions(body, bodyText));
}

export function isQuotedHereDocument(node: SyntaxNode): boolean {
  const start = node.children.find(({ type }) => type === 'heredoc_start');
  return /['"\\]/.test(start?.text ?? '');
}

function withoutExpansions(body: SyntaxNode | undefined, text: string): string {
  let rest = text;
  for (const child of body?.namedChildren ?? []) {
    if (child && !child.type.endsWith('_content')) rest = rest.replace(child.text, '');
  }
  return rest;
}
