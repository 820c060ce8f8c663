/** The questions of `gemini extensions`; they go to stderr, so that results can be piped. A script may answer on stdin. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UserError } from '@gemini-cli/core';
import type { ExtensionQuestions, ValueQuestion } from '../../commands/extension-actions.js';
import { safeText } from '../../output/output.js';
import { isTerminal, stdinKind } from '../../terminal/descriptors.js';
import type { SubcommandIo } from '../subcommand.js';
import { PipedAnswers } from './piped-answers.js';

const CONTINUE = 'Do you want to continue? [Y/n]: ';

/** @param options.consents `--consent`: the user has agreed to what the extension does, not to trust in folders */
export function terminalQuestions(io: SubcommandIo, { consents = false } = {}): ExtensionQuestions {
  const canAsk = isTerminal(0) && isTerminal(2);
  let piped: PipedAnswers | undefined;
  /** Undefined: no answer. Only a written yes counts; an empty line, a yes on the terminal, may be all a pipe holds. */
  const scriptAgrees = async (question: string): Promise<boolean | undefined> => {
    if (isTerminal(0) || stdinKind() === 'none') return undefined;
    piped ??= new PipedAnswers(process.stdin);
    io.stderr(question);
    const answer = await piped.next();
    return answer === undefined ? undefined : yes(answer, false);
  };
  return {
    consent: async (text) => {
      io.stderr(safeText(text));
      if (consents) return true;
      if (canAsk) return yes(await line(CONTINUE), true);
      const answer = await scriptAgrees(CONTINUE);
      if (answer !== undefined) return answer;
      throw new UserError('Nothing was changed. Without a terminal to ask on, add --consent.');
    },
    confirm: async (question) => {
      const asked = `${safeText(question)} [y/N]: `;
      return canAsk ? yes(await line(asked), false) : (await scriptAgrees(asked)) === true;
    },
    value: async (question) => (canAsk ? askValue(question, io) : undefined),
    notice: (message) => io.stderr(safeText(message)),
    clonesUnasked: consents,
    signal: new AbortController().signal,
  };
}

function yes(answer: string | undefined, byDefault: boolean): boolean {
  if (answer === undefined) return false;
  return answer.trim() === '' ? byDefault : /^y(?:es)?$/i.test(answer.trim());
}

async function askValue(
  { title, detail, isSecret, initial, problem }: ValueQuestion,
  io: SubcommandIo,
): Promise<string | undefined> {
  if (problem !== undefined) io.stderr(safeText(problem));
  else if (detail !== undefined) io.stderr(safeText(detail));
  const now = initial === undefined ? '' : ` (now: ${safeText(initial)})`;
  return line(`${safeText(title)}${now}: `, { isSecret: isSecret ?? false });
}

/** @returns undefined at the end of the input or at Ctrl+C */
async function line(question: string, { isSecret = false } = {}): Promise<string | undefined> {
  // What readline draws again with each key is the question with the secret behind it.
  const output = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  // From here on the terminal shows no key by itself: a user who answers at once must not see the secret.
  if (isSecret) process.stderr.write(question);
  try {
    return await new Promise((resolve) => {
      reader.once('SIGINT', () => resolve(undefined));
      reader.once('close', () => resolve(undefined));
      void reader.question(isSecret ? '' : question).then(resolve, () => resolve(undefined));
    });
  } finally {
    reader.close();
    if (isSecret) process.stderr.write('\n');
  }
}
