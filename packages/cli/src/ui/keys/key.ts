/** Input events: keys, pastes, mouse, focus, and the terminal's answers. */

export interface Key {
  kind: 'key';
  /** Base key: `a`, `1`, `é`, `enter`, `escape`, `up`, `f4`, … Lower case; `space` for a blank. */
  name: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  cmd: boolean;
  /** The text it inserts; empty for keys that insert nothing. */
  text: string;
  /** The raw bytes, for a process that has the keyboard. */
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

/** The window gained or lost the focus. */
export interface Focus {
  kind: 'focus';
  focused: boolean;
}

/** The terminal answers a query, e.g. for its background (`OSC 11`) or keyboard protocol. */
export interface Answer {
  kind: 'answer';
  sequence: string;
}

export type InputEvent = Key | Paste | Mouse | Focus | Answer;

/** Returns true when it used the event; no other handler gets it then. */
export type InputHandler = (event: InputEvent) => boolean;
