/** Shows what an MCP server asks the user, and opens the page that the user agreed to. */
import { type ElicitationAnswer, type ElicitationQuestion, isObject } from '@gemini-cli/core';
import type { AccountPorts } from './account-questions.js';

export async function askForServer(
  question: ElicitationQuestion,
  { ask, openPage }: Pick<AccountPorts, 'ask' | 'openPage'>,
): Promise<ElicitationAnswer> {
  const answer = await ask('elicitation', { question });
  if (!isAnswer(answer)) return { action: 'cancel' };
  if (answer.action === 'accept' && question.mode === 'url') await openPage(question.url);
  return answer;
}

/** A dialog that is withdrawn closes without one. */
function isAnswer(value: unknown): value is ElicitationAnswer {
  return isObject(value) && typeof value['action'] === 'string';
}
