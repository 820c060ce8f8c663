/** Mouse reports in the SGR form (`CSI < b;x;y M`) and the old one (`CSI M bxy`). */
import type { Mouse } from './key.js';

const BUTTONS = ['left', 'middle', 'right', 'none'] as const;

export function mouseEvent(body: string, isRelease: boolean): Mouse | undefined {
  const [bits, column, row] = body.split(';').map(Number);
  if (bits === undefined || column === undefined || row === undefined) return undefined;
  if (![bits, column, row].every(Number.isInteger) || column < 1 || row < 1) return undefined;
  return mouse(bits, column, row, isRelease);
}

/** @param three the characters after `CSI M`, each 32 more than its value */
export function oldMouseEvent(three: string): Mouse {
  const [bits = 0, column = 1, row = 1] = Array.from(three, (char) => char.charCodeAt(0) - 32);
  return mouse(bits, Math.max(1, column), Math.max(1, row), (bits & 3) === 3 && bits < 64);
}

function mouse(bits: number, column: number, row: number, isRelease: boolean): Mouse {
  const wheel = (bits & 64) !== 0;
  const button = wheel ? 'none' : (BUTTONS[bits & 3] ?? 'none');
  return {
    kind: 'mouse',
    action: wheel ? wheelAction(bits) : isRelease ? 'release' : (bits & 32) !== 0 ? 'move' : 'press',
    button,
    column: column - 1,
    row: row - 1,
    shift: (bits & 4) !== 0,
    alt: (bits & 8) !== 0,
    ctrl: (bits & 16) !== 0,
  };
}

function wheelAction(bits: number): Mouse['action'] {
  return (bits & 1) === 0 ? 'wheel_up' : 'wheel_down';
}
