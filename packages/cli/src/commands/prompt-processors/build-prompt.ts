/** Builds the prompt from the template of a command file. */
import type { Part } from '@gemini-cli/core';
import { engineOf } from '../builtin/needs.js';
import type { CommandContext, SlashCommandActionReturn } from '../types.js';
import { appendedArguments } from './arguments.js';
import { injectFile } from './file-injection.js';
import { quoteInto } from './quote-args.js';
import { checkCommands, runForOutput } from './shell-injection.js';
import { parseTemplate, type TemplatePiece } from './template.js';

/** Reads and runs nothing before all commands are allowed. @throws Error for a broken template */
export async function buildPrompt(
  template: string,
  context: CommandContext,
  args: string,
): Promise<SlashCommandActionReturn> {
  const raw = context.invocation?.raw ?? '';
  const pieces = withArguments(parseTemplate(template), args);
  const commands = pieces.flatMap((piece) => (piece.kind === 'shell' ? [piece.command] : []));
  if (commands.length > 0) {
    const approved = context.session.sessionShellAllowlist;
    const verdict = await checkCommands(commands, engineOf(context), approved);
    if (verdict.kind === 'denied') return denied(verdict);
    if (verdict.kind === 'ask')
      return {
        type: 'confirm_shell_commands',
        commandsToConfirm: verdict.commands,
        originalInvocation: { raw },
      };
  }
  const parts = await fill(pieces, context);
  if (context.signal?.aborted)
    return { type: 'message', messageType: 'info', content: 'Cancelled; nothing was sent.' };
  const appended = appendedArguments(parseTemplate(template), { raw, args });
  const own = pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []));
  return {
    type: 'submit_prompt',
    content: joined([...parts, { text: appended }]),
    display: raw,
    typed: [...own, appended].join(''),
  };
}

function withArguments(pieces: readonly TemplatePiece[], args: string): TemplatePiece[] {
  return pieces.flatMap((piece): TemplatePiece[] => {
    if (piece.kind === 'args') return [{ kind: 'text', text: args }];
    if (piece.kind !== 'shell') return [piece];
    return piece.command === '' ? [] : [{ kind: 'shell', command: quoteInto(piece.command, args) }];
  });
}

async function fill(pieces: readonly TemplatePiece[], context: CommandContext): Promise<Part[]> {
  const engine = engineOf(context);
  const signal = context.signal ?? new AbortController().signal;
  // Files first: a command may change them.
  const files = new Map<TemplatePiece, Part[]>();
  for (const piece of pieces) {
    if (piece.kind !== 'file') continue;
    const { parts, notices } = await injectFile(piece, engine, signal);
    for (const { level, text } of notices) context.ui.addItem({ type: level, text });
    files.set(piece, parts);
  }
  const run = { signal, approved: context.session.sessionShellAllowlist };
  const filled: Part[] = [];
  for (const piece of pieces) {
    if (signal.aborted) break;
    if (piece.kind === 'text') filled.push({ text: piece.text });
    else if (piece.kind === 'file') filled.push(...(files.get(piece) ?? []));
    else if (piece.kind === 'shell') filled.push({ text: await runForOutput(piece.command, engine, run) });
  }
  return filled;
}

/** Neighbouring texts become one. */
function joined(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.text === '') continue;
    if (part.text !== undefined && last?.text !== undefined) last.text += part.text;
    else result.push({ ...part });
  }
  return result;
}

function denied({ command, reason }: { command: string; reason?: string }): SlashCommandActionReturn {
  const why = reason ? ` ${reason}` : '';
  return {
    type: 'message',
    messageType: 'error',
    content: `Nothing was sent: the policy does not allow the command "${command}".${why}`,
  };
}
