/** Walks the syntax tree of a command line once and collects commands, assignments and redirections. */
import { DeveloperError } from '../../base/errors.js';
import { extraArguments, isInput, isRedirect, redirectionsOf } from './parsing/redirections.js';
import { hasSoundGaps, isSoundNode } from './parsing/soundness.js';
import type { SyntaxNode } from './parsing/syntax-tree.js';
import { literalWord, wordOf } from './parsing/words.js';
import type { Assignment, ParsedCommand, Redirection, Word } from './types.js';
import { namesAssignedIn } from './variables/arithmetic.js';
import { isDescriptorVariable } from './variables/assignments.js';
import { expressionsIn } from './variables/expressions.js';

const DEEPEST_NODE = 150;

/** A simple command of the syntax tree. */
export interface FoundCommand {
  words: Word[];
  assignments: Assignment[];
  redirections: Redirection[];
  openArguments?: boolean;
  /** Its name is rightly a reserved word: `[[`. */
  isSyntax?: boolean;
}

const STRUCTURE: Record<string, string> = {
  subshell: 'subshell',
  process_substitution: 'process substitution',
  heredoc_redirect: 'heredoc (<<)',
  herestring_redirect: 'herestring (<<<)',
};

export class Walk {
  constructor(
    private readonly text: string,
    private readonly add: (found: FoundCommand) => void,
    private readonly result: ParsedCommand,
  ) {}

  visit(node: SyntaxNode, depth: number, redirections: readonly Redirection[]): void {
    if (depth > DEEPEST_NODE || !isSoundNode(node, this.text) || !hasSoundGaps(node, this.text)) fail();
    this.note(node);
    let inherited = redirections;
    if (node.type === 'redirected_statement') inherited = this.redirected(node, redirections);
    else if (node.type === 'command') this.command(node, redirections, []);
    else if (node.type === 'declaration_command' || node.type === 'unset_command')
      this.declaration(node, redirections);
    else if (node.type === 'test_command') this.test(node, redirections);
    else if (node.type === 'variable_assignment' && node.parent?.type !== 'command') this.assign(node);
    else if (node.type === 'for_statement') this.loopVariable(node);
    else if (isRedirect(node) && !REDIRECTED.has(node.parent?.type ?? '')) {
      // A redirection without a command, such as `$(<file)`.
      this.add({ words: [], assignments: [], redirections: redirectionsOf(node) });
    }
    // A redirection of a command does not apply to substitutions inside its words.
    const keeps = node.type === 'redirected_statement' || !WORD_LIKE.has(node.type);
    for (const child of node.children) {
      if (node.type === 'redirected_statement' && isCommand(child)) this.insideOf(child, depth + 1);
      else this.visit(child, depth + 1, keeps && !isRedirect(child) ? inherited : []);
    }
  }

  /** Visits the parts of a command that was already added. */
  private insideOf(node: SyntaxNode, depth: number): void {
    if (!isSoundNode(node, this.text) || !hasSoundGaps(node, this.text)) fail();
    for (const child of node.children) this.visit(child, depth + 1, []);
  }

  private redirected(node: SyntaxNode, outer: readonly Redirection[]): readonly Redirection[] {
    const own = node.children.flatMap((child) => redirectionsOf(child));
    const all = [...outer, ...own];
    const body = node.children[0];
    const extra = node.children.flatMap(extraArguments);
    if (body && isCommand(body)) this.command(body, all, extra);
    else if (extra.length > 0) fail();
    else if (!body || isRedirect(body)) this.add({ words: [], assignments: [], redirections: all });
    // Without `body`: it is unknown which of several commands reads the text.
    return all.map(({ kind, target, raw }) => ({ kind, target, raw }));
  }

  private command(node: SyntaxNode, outer: readonly Redirection[], extra: Word[]): void {
    const words: Word[] = [];
    const assignments: Assignment[] = [];
    const redirections = [...outer];
    const late: Word[] = [];
    for (const child of node.children) {
      if (child.type === 'variable_assignment') assignments.push(assignmentOf(child));
      else if (isRedirect(child)) {
        redirections.push(...redirectionsOf(child));
        const found = extraArguments(child);
        // Before the name, a further destination is the name.
        if (found.length > 0 && words.length === 0) fail();
        late.push(...found);
      } else if (isDescriptorVariable(child.text, this.text.slice(child.endIndex, child.endIndex + 9)))
        continue;
      else if (child.isNamed && child.type !== 'comment') words.push(wordOf(child));
      else if (!child.isNamed && !['$', '=~', '=='].includes(child.type)) fail();
    }
    this.add({ words: [...words, ...late, ...extra], assignments, redirections });
  }

  private declaration(node: SyntaxNode, outer: readonly Redirection[]): void {
    const words: Word[] = [];
    let end = -1;
    for (const child of node.children) {
      // `export PA""TH=.` is one word for bash, three for the grammar.
      if (child.startIndex === end) fail();
      end = child.endIndex;
      if (child.type === 'variable_assignment') words.push({ ...wordOf(child), text: child.text });
      else words.push(child.isNamed ? wordOf(child) : literalWord(child.text));
    }
    this.add({ words, assignments: [], redirections: [...outer] });
  }

  private test(node: SyntaxNode, outer: readonly Redirection[]): void {
    const leaves = node.descendantsOfType(['word', 'raw_string', 'ansi_c_string', 'string', 'number']);
    const name = literalWord(node.children[0]?.text ?? '[');
    const words = [name, ...leaves.flatMap((leaf) => (leaf ? [wordOf(leaf)] : []))];
    this.add({ words, assignments: [], redirections: [...outer], isSyntax: true });
  }

  private assign(node: SyntaxNode): void {
    this.result.assignments.push(assignmentOf(node));
    const isStatement = !['declaration_command', 'c_style_for_statement'].includes(node.parent?.type ?? '');
    if (isStatement) this.add({ words: [], assignments: [assignmentOf(node)], redirections: [] });
  }

  private loopVariable(node: SyntaxNode): void {
    const name = node.childForFieldName('variable')?.text ?? '';
    const values = node.childrenForFieldName('value').flatMap((item) => (item ? [wordOf(item)] : []));
    for (const { text, literal } of values) this.result.assignments.push({ name, value: text, literal });
    if (values.length === 0) this.result.assignments.push({ name, value: '', literal: false });
  }

  private note(node: SyntaxNode): void {
    this.result.expressions.push(...expressionsIn(node));
    if (node.type === 'pipeline') this.result.piped = true;
    const names = namesAssignedIn(node);
    if (!names) fail();
    // Arithmetic sets numbers; the value of `${x:=…}` is unknown here.
    const isNumber = node.type !== 'expansion';
    this.result.assignments.push(...names.map((name) => ({ name, value: '0', literal: isNumber })));
    if (node.type === 'command_substitution') {
      this.result.structure.push(
        node.text.startsWith('`') ? 'backtick substitution' : 'command substitution',
      );
    } else if (node.type === 'file_redirect') {
      this.result.structure.push(`redirection (${isInput(node) ? '<' : '>'})`);
    } else if (STRUCTURE[node.type]) this.result.structure.push(STRUCTURE[node.type] as string);
  }
}

/** Parents whose redirections are collected with the command. */
const REDIRECTED = new Set(['command', 'redirected_statement', 'heredoc_redirect']);
const WORD_LIKE = new Set(['command', 'declaration_command', 'test_command', 'variable_assignment']);

function isCommand({ type }: SyntaxNode): boolean {
  return type === 'command';
}

function assignmentOf(node: SyntaxNode): Assignment {
  const name = node.childForFieldName('name')?.text ?? '';
  const value = node.childForFieldName('value');
  const word = value ? wordOf(value) : literalWord('');
  const bare = name.replace(/\[[\s\S]*$/, '');
  const isAppended = value?.type !== 'array' && node.children.some(({ type }) => type === '+=');
  if (isAppended) return { name: bare, value: `\${${bare}}${word.text}`, literal: false };
  return { name: bare, value: word.text, literal: word.literal };
}

export class UnreadableError extends DeveloperError {}

export function fail(): never {
  throw new UnreadableError('This command cannot be parsed.');
}
