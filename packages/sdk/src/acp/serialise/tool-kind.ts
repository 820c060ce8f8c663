/** Our kinds of tools in the words of the protocol. */
import type { ToolKind } from '@agentclientprotocol/sdk';
import { Kind } from '@gemini-cli/core';

const KINDS: Readonly<Record<Kind, ToolKind>> = {
  [Kind.Read]: 'read',
  [Kind.Edit]: 'edit',
  [Kind.Delete]: 'delete',
  [Kind.Move]: 'move',
  [Kind.Search]: 'search',
  [Kind.Execute]: 'execute',
  [Kind.Think]: 'think',
  [Kind.Agent]: 'think',
  [Kind.Fetch]: 'fetch',
  [Kind.SwitchMode]: 'switch_mode',
  [Kind.Plan]: 'other',
  [Kind.Communicate]: 'other',
  [Kind.Other]: 'other',
};

export function toToolKind(kind: Kind | undefined): ToolKind {
  return kind === undefined ? 'other' : KINDS[kind];
}
