import { describe, expect, it } from 'vitest';
import { builtinCommands } from '../commands/loaders/builtin.js';
import { testContext } from '../commands/testing/context.test-helper.js';
import { CommandKind, type SlashCommand } from '../commands/types.js';
import { createCompleter } from './completer.js';
import { slashSource } from './slash.js';
import type { CompletionRequest, CompletionSource, Suggestions } from './types.js';

const completerOf = (commands: readonly SlashCommand[]) =>
  createCompleter([slashSource({ commands: () => commands, context: () => testContext() })]);

function labels(completer: ReturnType<typeof createCompleter>): string[] {
  return completer.getState().items.map(({ label }) => label);
}

describe('completion of slash commands', () => {
  const completer = completerOf(builtinCommands());
  const typed = (text: string, cursor = text.length) => {
    completer.update(text, cursor);
    return labels(completer);
  };

  it('offers common commands first after a lone slash, and no hidden ones', () => {
    expect(typed('/').slice(0, 4)).toEqual(['help', 'clear', 'model', 'resume']);
    expect(labels(completer)).not.toContain('corgi');
    expect(typed('/corgi')).toEqual(['corgi']);
  });

  it('finds commands by letters, an exact match first, and shows aliases', () => {
    expect(typed('/stats')[0]).toBe('stats');
    expect(typed('/mdl')).toContain('model');
    expect(typed('/usag')[0]).toBe('stats (usage)');
    expect(typed('/xyzzy')).toEqual([]);
  });

  it('offers sub-commands after a space, and runs the command itself on Enter', () => {
    expect(typed('/stats ')).toEqual(['session', 'model', 'tools']);
    expect(completer.getState().selected).toBe(-1);
    expect(completer.accept('enter')).toBeUndefined();
    expect(completer.accept('tab')).toEqual({ text: '/stats session ', cursor: 15, submit: false });
    expect(typed('/memory ')[0]).toBe('show');
    expect(completer.getState().selected).toBe(0);
  });

  it('completes with Tab, and with Enter sends a command that needs no arguments', () => {
    typed('/hel');
    expect(completer.accept('tab')).toEqual({ text: '/help ', cursor: 6, submit: false });
    expect(completer.accept('enter')).toMatchObject({ text: '/help ', submit: true });
    typed('/memory ad');
    expect(completer.accept('enter')).toEqual({ text: '/memory add ', cursor: 12, submit: false });
  });

  it('lists the command itself under its own entry', () => {
    expect(typed('/resume ').slice(0, 3)).toEqual(['list', 'list', 'save']);
    completer.move(1);
    expect(completer.accept('enter')).toEqual({ text: '/resume ', cursor: 8, submit: true });
    // Typed out, it is the sub-command.
    expect(typed('/chat list')).toEqual(['list']);
    expect(completer.accept('enter')).toMatchObject({ text: '/chat list ', submit: true });
  });

  it('replaces the whole word the cursor is in', () => {
    typed('/hexyz tail', 3);
    expect(completer.accept()?.text).toBe('/help  tail');
  });

  it.each(['// x', '/* x', 'say /help', '', '/help\nx', '/vim x'])('offers nothing for %j', (text) => {
    expect(typed(text)).toEqual([]);
  });

  it('asks a command for its arguments', async () => {
    const command: SlashCommand = {
      name: 'open',
      kind: CommandKind.FILE,
      description: '',
      completion: async (_context, partial) => [`${partial}-1`, `${partial}-\u001b2`],
    };
    const own = completerOf([command]);
    const changed = new Promise<void>((resolve) => own.subscribe(resolve));
    own.update('/open a b', 9);
    await changed;
    expect(labels(own)).toEqual(['a b-1', 'a b-\\u{1B}2']);
    expect(own.accept()?.text).toBe('/open a b-1');
  });
});

describe('the completer', () => {
  interface Asked extends CompletionRequest {
    answer(suggestions: Suggestions | undefined): void;
  }

  function slow() {
    const asked: Asked[] = [];
    const source: CompletionSource = {
      complete: (request) =>
        request.text.startsWith('@')
          ? new Promise((answer) => void asked.push({ ...request, answer }))
          : undefined,
    };
    return { asked, completer: createCompleter([source], { loadingAfterMs: 0 }) };
  }
  const found = (text: string, ...values: string[]): Suggestions => ({
    items: values.map((value) => ({ label: value, value })),
    start: 1,
    end: text.length,
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('drops late answers', async () => {
    const { asked, completer } = slow();
    completer.update('@a', 2);
    completer.update('@ab', 3);
    expect(asked[0]?.signal.aborted).toBe(true);
    asked[1]?.answer(found('@ab', 'about.md'));
    await settled();
    asked[0]?.answer(found('@a', 'a.md'));
    await settled();
    expect(labels(completer)).toEqual(['about.md']);
    expect(completer.accept()).toEqual({ text: '@about.md', cursor: 9, submit: false });
  });

  it('accepts nothing from a list that belongs to another text', async () => {
    const { asked, completer } = slow();
    completer.update('@a', 2);
    asked[0]?.answer(found('@a', 'a.md'));
    await settled();
    completer.update('@ax', 3);
    expect(completer.accept()).toBeUndefined();
  });

  it('shows that it waits and partial results, and keeps the selection', async () => {
    const { asked, completer } = slow();
    const states: boolean[] = [];
    const waiting = new Promise<void>((resolve) =>
      completer.subscribe(() => {
        states.push(completer.getState().isLoading);
        resolve();
      }),
    );
    completer.update('@a', 2);
    await waiting;
    expect(states).toEqual([true]);
    asked[0]?.onPartial(found('@a', 'a', 'b'));
    completer.move(1);
    asked[0]?.answer(found('@a', 'z', 'a', 'b'));
    await settled();
    expect(completer.getState()).toMatchObject({ selected: 2, isLoading: false, total: 3 });
  });

  it('wraps the selection at the ends, closes, and opens again with the next key', async () => {
    const { asked, completer } = slow();
    completer.update('@a', 2);
    asked[0]?.answer(found('@a', 'a', 'b', 'c'));
    await settled();
    completer.move(-1);
    expect(completer.getState().selected).toBe(2);
    completer.move(1);
    expect(completer.getState().selected).toBe(0);
    completer.close();
    expect(completer.getState().items).toEqual([]);
    completer.update('@a', 2);
    expect(asked).toHaveLength(1);
    completer.update('@ab', 3);
    expect(asked).toHaveLength(2);
    completer.update('x', 1);
    expect(asked[1]?.signal.aborted).toBe(true);
  });

  it('closes quietly when a source fails', async () => {
    const completer = createCompleter([{ complete: () => Promise.reject(new Error('x')) }]);
    completer.update('@a', 2);
    await settled();
    expect(completer.getState()).toMatchObject({ items: [], isLoading: false });
  });
});
