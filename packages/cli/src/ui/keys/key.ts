/** What the keyboard, the mouse and the terminal send, once it is understood. */

export interface Key {
  kind: 'key';
  /** Base key: `a`, `1`, `é`, `enter`, `escape`, `up`, `f4`, … Lower case; `space` for a blank. */
  name: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  cmd: boolean;
  /** What typing it inserts; empty for keys that insert nothing. */
  text: string;
  /** The bytes as they came, for a process that has the keyboard. */
  sequence: string;
}

export interface Paste {
  kind: 'paste';
  text: string;
}

export interface Mouse {
  kind: 'mouse';
  action: 'press' | 'release' | 'move' | 'wheel_up' | 'wheel_down';
  button: 'left' | 'middle' | 'right' | 'none';
  /** From 0. */
  column: number;
  row: number;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
}

/** The window got or lost the focus. */
export interface Focus {
  kind: 'focus';
  focused: boolean;
}

/** The terminal answers one of our questions, e.g. its background (`OSC 11`) or its keyboard protocol. */
export interface Answer {
  kind: 'answer';
  sequence: string;
}

export type InputEvent = Key | Paste | Mouse | Focus | Answer;

/** True: it was for me, nobody else gets it. */
export type InputHandler = (event: InputEvent) => boolean;
