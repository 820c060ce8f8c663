/** Sends the console of this process elsewhere while stdout carries a protocol. */
import { Console } from 'node:console';
import { Writable } from 'node:stream';

const NAMES = ['log', 'info', 'debug', 'warn', 'error', 'table', 'dir', 'trace'] as const;

/** @returns a function that restores the console */
export function consoleTo(stderr: { write(text: string): unknown }): () => void {
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      stderr.write(String(chunk));
      done();
    },
  });
  const own = new Console({ stdout: sink, stderr: sink });
  const before = NAMES.map((name) => [name, console[name]] as const);
  for (const name of NAMES) console[name] = own[name].bind(own);
  return () => {
    for (const [name, method] of before) console[name] = method as typeof console.log;
  };
}
