/** The first paint on a dumb terminal: draws nothing and receives whole lines from the terminal. */
import { type FirstPaint, takeTyped, writeToTerminal } from './first-paint.js';
import { PlainWriter } from './plain-writer.js';

export function isDumbTerminal(env: NodeJS.ProcessEnv): boolean {
  return env['TERM'] === 'dumb';
}

export function startPlainPaint(): FirstPaint {
  const { stdin } = process;
  const writer = new PlainWriter(writeToTerminal);
  const chunks: Buffer[] = [];
  let forward: ((chunk: Buffer) => void) | undefined;
  const onData = (chunk: Buffer) => {
    writer.entered();
    if (forward) forward(chunk);
    else chunks.push(chunk);
  };
  const typed = takeTyped();
  if (typed) onData(typed);
  stdin.on('data', onData);
  return {
    writer,
    takeOver: (handler) => {
      forward = handler;
      for (const chunk of chunks.splice(0)) handler(chunk);
    },
    release: () => {
      stdin.off('data', onData);
      stdin.pause();
      return Buffer.concat(chunks);
    },
  };
}
