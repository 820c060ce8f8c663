/** A companion for one test. */
import { onTestFinished } from 'vitest';
import { Companion, type CompanionOptions } from './companion.js';

export async function startCompanion(options: CompanionOptions): Promise<Companion> {
  const companion = new Companion(options);
  await companion.listen();
  onTestFinished(() => companion.close());
  return companion;
}
