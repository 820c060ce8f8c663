/** Asks a yes-or-no question on the terminal. */

/** @param options.byDefault what Enter alone means */
export async function askOnTerminal(question: string, { byDefault = false } = {}): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = (await reader.question(question)).trim();
    return answer === '' ? byDefault : /^y(?:es)?$/i.test(answer);
  } catch {
    return false; // Ctrl+C, or the end of the input
  } finally {
    reader.close();
  }
}
