/** Terminal modes of the interface (raw keys, paste, focus, mouse) and how they are reset on exit. */

export interface TerminalModes {
  enter(): void;
  /** Safe to call twice, and while the process ends. */
  leave(): void;
  setMouse(on: boolean): void;
}

const PASTE = '2004';
const FOCUS = '1004';
const MOUSE = ['1002', '1006'];

/** For a terminal without modes (`TERM=dumb`). */
export const NO_MODES: TerminalModes = {
  enter: () => undefined,
  leave: () => undefined,
  setMouse: () => undefined,
};

export function createTerminalModes(write: (data: string) => void, stdin: NodeJS.ReadStream): TerminalModes {
  let isIn = false;
  let hasMouse = false;
  const set = (mode: string, on: boolean) => `\x1b[?${mode}${on ? 'h' : 'l'}`;
  const setMouse = (on: boolean) => {
    if (on === hasMouse) return;
    hasMouse = on;
    write(MOUSE.map((mode) => set(mode, on)).join(''));
  };
  const leave = () => {
    if (!isIn) return;
    isIn = false;
    setMouse(false);
    // Kitty's keyboard protocol and modifyOtherKeys off, cursor visible, plain text.
    write(`\x1b[<u\x1b[>4;0m${set(FOCUS, false)}${set(PASTE, false)}\x1b[?25h\x1b[0m`);
    stdin.setRawMode?.(false);
  };
  return {
    enter: () => {
      if (isIn) return;
      isIn = true;
      stdin.setRawMode?.(true);
      write(`${set(PASTE, true)}${set(FOCUS, true)}\x1b[>1u\x1b[>4;1m`);
    },
    leave,
    setMouse,
  };
}
