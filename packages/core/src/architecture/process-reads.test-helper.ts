/** Where a source reads variables, working directory or home of the process; comments do not count. */
export function processReads(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  const reads =
    /\bprocess\s*\.\s*(?:env|cwd)\b|\bprocess\[['"](?:env|cwd)|\{[^{}]*\b(?:env|cwd)\b[^{}]*\}\s*=\s*process\b|from '(?:node:)?process'|\b(?:homedir|tmpdir)\b(?!:)/g;
  return [...code.matchAll(reads)].map(([found]) => found);
}
