/** Bytes of the terminal become events for the gate; one frame shows what all of them have changed. */
import { createLog } from '@gemini-cli/core';
import type { InputEvent } from '../../keys/key.js';
import type { Submitter } from '../commands/submit.js';
import type { AppContext } from '../context/app-context.js';
import type { EngineHost } from '../conversation/engine-host.js';
import type { Appearance } from '../screen/appearance.js';
import type { Screen } from '../screen/screen.js';
import type { IdleWork } from '../start/idle-work.js';
import { keysOfLine, LineInput } from '../terminal/line-input.js';
import { TerminalInput } from '../terminal/terminal-input.js';
import type { InputGate } from './input-gate.js';

const SHOWN_SEQUENCE = 20;
const log = createLog('keys');

export interface KeyReceiverParts {
  context: AppContext;
  engine: Pick<EngineHost, 'telemetry'>;
  gate: InputGate;
  submitter: Submitter;
  screen: Screen;
  idle: IdleWork;
  appearance: Appearance;
}

export class KeyReceiver {
  private readonly source: { feed(chunk: Buffer): void };

  constructor(private readonly parts: KeyReceiverParts) {
    // A plain terminal edits lines itself and sends whole ones.
    this.source = parts.appearance.isPlain
      ? new LineInput((line) => this.receiveLine(line))
      : new TerminalInput((events) => this.receive(events), {
          onOverflow: (sequence) =>
            parts.engine.telemetry.event('gemini_cli.kitty_sequence_overflow', {
              sequence_length: sequence.length,
              truncated_sequence: sequence.slice(0, SHOWN_SEQUENCE),
            }),
        });
  }

  feed(chunk: Buffer): void {
    if (this.parts.context.settings.general?.debugKeystrokeLogging)
      log.debug(JSON.stringify(chunk.toString()));
    this.source.feed(chunk);
  }

  private receive(events: readonly InputEvent[]): void {
    const { idle, gate, screen } = this.parts;
    idle.keyPressed();
    gate.receive(events);
    // Behind the frame of an open dialog, which Ink draws in a microtask.
    if (events.length > 0) queueMicrotask(() => screen.draw());
  }

  private receiveLine(line: string): void {
    const { context, submitter, screen } = this.parts;
    const { dialog, confirmation } = context.store.getState();
    const isShellMode = line.startsWith('!');
    const text = isShellMode ? line.slice(1) : line;
    if (dialog || confirmation) this.receive(keysOfLine(line));
    else if (text.trim() !== '') submitter.submit(text, { isShellMode });
    screen.draw();
  }
}
