/** Bytes of the terminal to events. An Escape byte that nothing follows is the key itself. */
import type { InputEvent } from '../../keys/key.js';
import { KeyParser, type KeyParserOptions } from '../../keys/parse.js';

const ESCAPE_MS = 50;
const PASTE_MS = 3_000;

export class TerminalInput {
  private readonly parser: KeyParser;
  private timer: NodeJS.Timeout | undefined;

  /** @param deliver gets all events of one piece of input together */
  constructor(
    private readonly deliver: (events: readonly InputEvent[]) => void,
    options: KeyParserOptions = {},
  ) {
    this.parser = new KeyParser(options);
  }

  feed(chunk: Buffer): void {
    clearTimeout(this.timer);
    this.deliver(this.parser.feed(chunk));
    const { waiting } = this.parser;
    if (waiting === 'nothing') return;
    this.timer = setTimeout(
      () => this.deliver(this.parser.flush()),
      waiting === 'paste' ? PASTE_MS : ESCAPE_MS,
    );
  }
}
