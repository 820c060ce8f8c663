import { ApprovalMode, noTelemetry, type Settings } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import type { Cursor, FrameOutput } from '../../../terminal/frame-writer.js';
import { initialState } from '../../store/state.js';
import { Store } from '../../store/store.js';
import { plainLook } from '../../testing/plain-look.test-helper.js';
import { Screen } from './screen.js';

const facts = {
  cwd: '/w',
  sandbox: 'no sandbox',
  model: 'm',
  sessionId: 's',
  contextFiles: 0,
  contextFileName: '',
  skills: 0,
  mcpServers: 0,
  backgroundTasks: 0,
  trusted: true,
};

class Recorder implements FrameOutput {
  readonly log: string[] = [];
  frame: readonly string[] = [];
  draws = 0;
  settle(lines: readonly string[]): void {
    this.log.push(...lines);
  }
  draw(lines: readonly string[], _cursor?: Cursor): void {
    this.draws++;
    this.frame = lines;
  }
  measureWith(): void {}
  resized(): void {}
  rewind(): [] {
    return [];
  }
  keptLines(): [] {
    return [];
  }
  scrollAway(): void {}
  clear(): void {
    this.log.length = 0;
  }
  enterFullScreen(): void {}
  leaveFullScreen(): void {}
  suspend(): void {}
  resume(): void {}
}

function made(
  options: {
    ui?: Settings['ui'];
    surface?: readonly string[];
    screenReader?: boolean;
    isPlain?: boolean;
  } = {},
) {
  const store = new Store(initialState(facts, ApprovalMode.DEFAULT));
  const writer = new Recorder();
  const { surface } = options;
  const screen = new Screen({
    store,
    writer,
    look: () => ({ ...plainLook(), screenReader: options.screenReader ?? false }),
    settings: () => ({ ui: options.ui ?? {} }),
    now: () => 0,
    input: () => ({ lines: ['> input'], cursor: { row: 0, column: 2 } }),
    tasks: () => [],
    surface: () => surface && { lines: () => surface },
    fullScreen: false,
    isPlain: options.isPlain ?? false,
    telemetry: () => noTelemetry,
  });
  return { store, writer, screen };
}

it('copy mode draws its notice and then nothing until it is left or scrolled', () => {
  const { store, writer, screen } = made();
  screen.draw();
  store.dispatch({ type: 'switched', what: 'isCopyMode', to: true });
  screen.draw();
  expect(writer.frame.join('\n')).toContain('copy mode');
  const { draws } = writer;
  store.dispatch({ type: 'item_added', item: { type: 'info', text: 'late' } });
  screen.draw();
  expect(writer.draws).toBe(draws);
  expect(writer.log.join()).not.toContain('late');
  store.dispatch({ type: 'scrolled', offset: 3 });
  screen.draw();
  expect(writer.draws).toBe(draws + 1);
  store.dispatch({ type: 'switched', what: 'isCopyMode', to: false });
  screen.draw();
  expect(writer.log.join()).toContain('late');
});

it('a question is drawn alone, or above the footer where the setting asks for that', () => {
  const surface = ['May it?'];
  const alone = made({ surface });
  alone.screen.draw();
  expect(alone.writer.frame).toEqual(surface);
  const open = made({ surface, ui: { collapseDrawerDuringApproval: false } });
  open.screen.draw();
  expect(open.writer.frame.join('\n')).toMatch(/May it\?[\s\S]*\/model/);
});

it('a small window shows a note about its size; a tiny one shows nothing else', () => {
  const { store, writer, screen } = made();
  store.dispatch({ type: 'resized', columns: 30, rows: 8 });
  screen.draw();
  expect(writer.frame.join('\n')).toMatch(/Small: 30x8[\s\S]*> input/);
  store.dispatch({ type: 'resized', columns: 30, rows: 30 });
  screen.draw();
  expect(writer.frame.join('\n')).toMatch(/Small: 30x30[\s\S]*> input/);
  store.dispatch({ type: 'resized', columns: 19, rows: 8 });
  screen.draw();
  expect(writer.frame).toHaveLength(1);
  expect(writer.frame[0]).toContain('too small');
});

it('for a screen reader the frame is the input alone; an answer is written when a part of it is whole', () => {
  const { store, writer, screen } = made({ screenReader: true });
  screen.draw();
  const begin = { type: 'turn_started', sessionId: 's', promptId: 'p', model: 'm', parts: [] } as const;
  store.dispatch(begin);
  for (const text of ['Half of ', 'it.\n\n', 'The rest\n']) {
    store.dispatch({ type: 'content', text });
    screen.draw();
    expect(writer.frame).toEqual(['> input']);
  }
  expect(writer.log).toEqual(['Working. Esc cancels.', 'Model: Half of it.']);
  store.dispatch({ type: 'turn_finished', reason: 'completed' });
  screen.draw();
  expect(writer.log.slice(-2)).toEqual(['The rest', 'Ready.']);
});

it('a terminal that can only print gets no input line while work is running', () => {
  const { store, writer, screen } = made({ screenReader: true, isPlain: true });
  screen.draw();
  expect(writer.frame).toEqual([]);
  store.dispatch({ type: 'ready' });
  screen.draw();
  expect(writer.frame).toEqual(['> input']);
  store.dispatch({ type: 'busy' });
  screen.draw();
  expect(writer.frame).toEqual([]);
});

it('after a clear the terminal is empty and a new history is written from its first item', () => {
  const { store, writer, screen } = made();
  for (const text of ['one', 'two']) store.dispatch({ type: 'item_added', item: { type: 'info', text } });
  screen.draw();
  store.dispatch({ type: 'cleared' });
  store.dispatch({ type: 'history_loaded', items: [{ type: 'info', text: 'earlier' }] });
  screen.draw();
  expect(writer.log.join()).toContain('earlier');
  expect(writer.log.join()).not.toMatch(/one|two/);
});
