/** Reads the redirections of a command from the syntax tree, and the arguments written after them. */

import type { Redirection, Word } from '../types.js';
import { isQuotedHereDocument } from './soundness.js';
import type { SyntaxNode } from './syntax-tree.js';
import { wordOf } from './words.js';

export function isRedirect({ type }: SyntaxNode): boolean {
  return type === 'file_redirect' || type === 'heredoc_redirect' || type === 'herestring_redirect';
}

export function isInput(node: SyntaxNode): boolean {
  return node.children.some(({ type }) => type === '<' || type === '<&' || type === '<&-');
}

export function redirectionsOf(node: SyntaxNode): Redirection[] {
  if (node.type === 'file_redirect') {
    const target = node.childForFieldName('destination');
    // `2>&1` names a descriptor, not a file.
    const isCopy = node.children.some(({ type }) => /^[<>]&-?$/.test(type));
    if (isCopy && (!target || /^\d+-?$/.test(target.text))) return [];
    return [{ kind: isInput(node) ? 'input' : 'output', target: target ? wordOf(target) : undefined }];
  }
  if (node.type === 'herestring_redirect') {
    const word = node.namedChildren.at(-1);
    const target = word ? wordOf(word) : undefined;
    const isInputText = target?.literal && !hasDescriptor(node);
    return [{ kind: 'herestring', target, body: isInputText ? target.text : undefined, raw: target?.text }];
  }
  if (node.type !== 'heredoc_redirect') return [];
  const body = node.children.find(({ type }) => type === 'heredoc_body');
  const isPlain = !hasDescriptor(node) && (isQuotedHereDocument(node) || !/[$`\\]/.test(body?.text ?? ''));
  const text = body?.text ?? '';
  const own: Redirection = { kind: 'heredoc', body: isPlain ? text : undefined, raw: text };
  return [own, ...node.children.flatMap((child) => redirectionsOf(child))];
}

/** `3<<EOF` is not the command's standard input. */
function hasDescriptor(node: SyntaxNode): boolean {
  return node.children.some(({ type }) => type === 'file_descriptor');
}

/** Words after a redirection that belong to the command. */
export function extraArguments(node: SyntaxNode): Word[] {
  if (node.type === 'file_redirect') {
    return node
      .childrenForFieldName('destination')
      .slice(1)
      .flatMap((item) => (item ? [wordOf(item)] : []));
  }
  if (node.type !== 'heredoc_redirect') return [];
  const own = node.childrenForFieldName('argument').flatMap((item) => (item ? [wordOf(item)] : []));
  return [...own, ...node.children.flatMap(extraArguments)];
}
