/** A sample with every kind of Markdown. */
export const SAMPLE = `# Fixing the parser

The tokenizer **drops** the last character when the *input* has no newline; see \`src/parse.ts\` and the
[docs](https://example.com/docs). ~~Old claim~~.

## Steps
1. Read the file
2. Change the loop:
   - nested item with a longer text that has to wrap around because it is longer than the line is wide
   - second
     - third level
3. Run tests

- [x] reproduced
- [ ] fixed

> A quote that says something
> over two lines.

\`\`\`ts
// Finds the end of the token
export function scan(input: string, from = 0): number {
  for (let i = from; i < input.length; i++) {

    if (/[\\s"]/.test(input[i]!)) return i; // stop here
  }
  return input.length - 1 + 2.5;
}
\`\`\`

| File | Change | Lines |
|:-----|:------:|------:|
| src/parse.ts | fix the loop | 12 |
| 日本語.md | **translated** docs | 1,024 |

Setext
------
* star list

1) other marks
2) go on

---
Done. 日本語のテキストは単語の間に空白がありません。
`;
