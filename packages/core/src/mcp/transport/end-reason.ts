/** Finds the line of a program's stderr that says why it ended. */

const NPM = /^npm (?:error|ERR!)\s*/;
/** What npm prints around the reason. */
const NPM_FRAME = /^(?:code|errno|syscall|path|A complete log)\b|^(?:\d+)?$/;

/** The last error that the output names, else its last line. npm names the reason first. */
export function reasonIn(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    // Node ends with its version, and before it come the places in the code.
    .filter((line) => line !== '' && !/^(Node\.js v\d|at )/.test(line));
  const npm = lines.find((line) => NPM.test(line) && !NPM_FRAME.test(line.replace(NPM, '')));
  return (
    npm ??
    lines.findLast((line) => /^(?:\w*(?:Error|Exception)\b|error\b|fatal\b)/i.test(line)) ??
    lines.at(-1)
  );
}
