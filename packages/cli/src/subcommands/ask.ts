/** Asks a yes-or-no question on the terminal. */

export async function askOnTerminal(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await reader.question(question)).trim());
  } catch {
    return false; // Ctrl+C, or the end of the input
  } finally {
    reader.close();
  }
}
