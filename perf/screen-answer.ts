/** A typical model answer in small chunks. */

const ANSWER = `## What happens here

The function reads every line **once** and keeps what it needs in a \`Map\`. Long lines are cut, and the rest is
counted, so that the reader knows how much is missing.

1. The first step opens the file and reads its head.
2. The second step looks for *markers*; see [the notes](https://example.com/notes).
3. The last step closes it again.

\`\`\`ts
export function countLines(text: string): number {
  let count = 0;
  for (const line of text.split('\\n')) if (line.trim() !== '') count++;
  return count;
}
\`\`\`

| Case | Before | After |
|---|---|---|
| empty | 0 | 0 |
| one line | 1 | 1 |

That is all: nothing else has to change, and the tests stay as they are.

`;

/** Endless chunks of about 15 characters that repeat the answer. */
export function* crumbs(): Generator<string> {
  for (let at = 0; at < ANSWER.length; ) {
    const size = 10 + ((at * 7) % 11);
    yield ANSWER.slice(at, at + size);
    at += size;
  }
}
