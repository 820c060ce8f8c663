/** Shortens a command that reached a canary as far as it still reaches it. */
import type { Judges } from './judges.test-helper.js';
import type { FuzzResult, LabRunner } from './runner.test-helper.js';

const MAX_ROUNDS = 12;

export async function shrunk(failure: FuzzResult, judges: Judges, runner: LabRunner): Promise<FuzzResult> {
  let shortest = failure;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const candidates = shorterForms(shortest.command).map((command) => ({
      command,
      directory: shortest.directory,
      mode: shortest.mode,
    }));
    const allowed = [];
    for (const candidate of candidates) if (await judges.allow(candidate)) allowed.push(candidate);
    const found = (await runner.run(allowed)).find(({ reached }) => reached.length > 0);
    if (!found) return shortest;
    shortest = found;
  }
  return shortest;
}

/** The command without one or two words, or without one part; the shortest first. */
function shorterForms(command: string): string[] {
  const forms = new Set<string>();
  for (const pattern of [/(\s*(?:;|&&|\|\||\||\n|&)\s*)/, /(\s+)/]) {
    const pieces = command.split(pattern);
    for (let from = 0; from < pieces.length; from++) {
      for (const count of [2, 4])
        forms.add(
          pieces
            .filter((_, at) => at < from || at >= from + count)
            .join('')
            .trim(),
        );
    }
  }
  forms.delete('');
  return [...forms].filter((form) => form.length < command.length).sort((a, b) => a.length - b.length);
}
