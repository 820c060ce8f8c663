import { describe, expect, it } from 'vitest';
import { type ColorDepth, detectColorDepth, hasTextAttributes } from '../../terminal/color-depth.js';
import { createPaint } from './paint.js';
import type { Style } from './style.js';

const ESC = '\x1b';

describe('createPaint', () => {
  const table: [ColorDepth, Style, string][] = [
    ['truecolor', { color: '#ff8000' }, `${ESC}[38;2;255;128;0mx${ESC}[39m`],
    ['truecolor', { color: '#f80' }, `${ESC}[38;2;255;136;0mx${ESC}[39m`],
    ['truecolor', { color: 'red' }, `${ESC}[31mx${ESC}[39m`],
    ['truecolor', { color: 'brightblack' }, `${ESC}[90mx${ESC}[39m`],
    ['truecolor', { color: 'blackBright' }, `${ESC}[90mx${ESC}[39m`],
    ['truecolor', { color: 'rebeccapurple' }, `${ESC}[38;2;102;51;153mx${ESC}[39m`],
    ['truecolor', { color: '208' }, `${ESC}[38;5;208mx${ESC}[39m`],
    ['truecolor', { color: 'no such colour' }, 'x'],
    ['truecolor', { background: '#102030', bold: true }, `${ESC}[48;2;16;32;48;1mx${ESC}[22;49m`],
    ['truecolor', { bold: true, dim: true }, `${ESC}[1;2mx${ESC}[22m`],
    ['ansi256', { color: '#ff8700' }, `${ESC}[38;5;208mx${ESC}[39m`],
    ['ansi256', { color: '#808080' }, `${ESC}[38;5;244mx${ESC}[39m`],
    ['ansi16', { color: '#ff5050' }, `${ESC}[91mx${ESC}[39m`],
    ['ansi16', { color: '#949cb1' }, `${ESC}[90mx${ESC}[39m`],
    ['ansi16', { color: '#ff858d' }, `${ESC}[91mx${ESC}[39m`],
    ['ansi16', { color: '#227a35' }, `${ESC}[32mx${ESC}[39m`],
    ['ansi16', { color: '#bd9dff' }, `${ESC}[95mx${ESC}[39m`],
    ['ansi16', { color: '#ffffff' }, `${ESC}[97mx${ESC}[39m`],
    ['ansi16', { background: '#102030' }, 'x'],
    ['ansi16', { background: 'red' }, `${ESC}[41mx${ESC}[49m`],
    ['none', { color: 'red', bold: true }, 'x'],
  ];
  it.each(table)('paints for %s the style %j', (depth, style, expected) => {
    expect(createPaint(depth)('x', style)).toBe(expected);
  });

  it('keeps bold without colours where the terminal supports it', () => {
    expect(createPaint('none', true)('x', { color: 'red', bold: true })).toBe(`${ESC}[1mx${ESC}[22m`);
  });

  it('closes styles before line breaks and opens them after', () => {
    expect(createPaint('truecolor')('a\n\nb', { bold: true })).toBe(
      `${ESC}[1ma${ESC}[22m\n\n${ESC}[1mb${ESC}[22m`,
    );
  });
});

describe('detectColorDepth', () => {
  const tty = { isTTY: true };
  const table: [string, NodeJS.ProcessEnv, { isTTY?: boolean }, ColorDepth][] = [
    ['a plain xterm', { TERM: 'xterm' }, tty, 'ansi16'],
    ['256 colours', { TERM: 'xterm-256color' }, tty, 'ansi256'],
    ['COLORTERM', { TERM: 'xterm-256color', COLORTERM: 'truecolor' }, tty, 'truecolor'],
    ['kitty', { TERM: 'xterm-kitty' }, tty, 'truecolor'],
    ['Windows Terminal', { TERM: 'xterm', WT_SESSION: '1' }, tty, 'truecolor'],
    ['a dumb terminal', { TERM: 'dumb', COLORTERM: 'truecolor' }, tty, 'none'],
    ['no terminal', { TERM: 'xterm-256color' }, {}, 'none'],
    ['NO_COLOR', { TERM: 'xterm-256color', NO_COLOR: '1' }, tty, 'none'],
    ['empty NO_COLOR', { TERM: 'xterm-256color', NO_COLOR: '' }, tty, 'ansi256'],
    ['NO_COLOR over FORCE_COLOR', { TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '3' }, tty, 'none'],
    ['FORCE_COLOR=0', { TERM: 'xterm-256color', FORCE_COLOR: '0' }, tty, 'none'],
    ['FORCE_COLOR without terminal', { FORCE_COLOR: '1', TERM: 'dumb' }, {}, 'ansi16'],
    ['FORCE_COLOR=2', { FORCE_COLOR: '2', COLORTERM: 'truecolor' }, {}, 'ansi256'],
    ['FORCE_COLOR=3', { FORCE_COLOR: '3', TERM: 'xterm' }, {}, 'truecolor'],
    ['FORCE_COLOR=true', { FORCE_COLOR: 'true', TERM: 'xterm-256color' }, {}, 'ansi256'],
  ];
  it.each(table)('recognises %s', (_name, env, stream, expected) => {
    expect(detectColorDepth(env, stream)).toBe(expected);
  });

  it('only dumb terminals have no bold', () => {
    expect(hasTextAttributes({ TERM: 'xterm', NO_COLOR: '1' }, tty)).toBe(true);
    expect(hasTextAttributes({ TERM: 'dumb' }, tty)).toBe(false);
    expect(hasTextAttributes({ TERM: 'xterm' }, {})).toBe(false);
  });
});
