/** A call that waits for an answer: what it will do, or what it asks, and a form to answer it. */
import { objectOf } from '@gemini-cli/core';
import type { SessionHtml } from '@gemini-cli/core/server';
import type { PendingCall } from '../contract.js';

type Outcome = readonly [outcome: string, label: string, look: string];

const OUTCOMES: readonly Outcome[] = [
  ['proceed_once', 'Allow once', 'main'],
  ['proceed_always', 'Allow for this task', ''],
  ['cancel', 'Refuse', 'no'],
];

const ANSWERS: readonly Outcome[] = [
  ['proceed_once', 'Send the answers', 'main'],
  ['cancel', 'Refuse', 'no'],
];

/** All that will run is shown, as code points where characters could deceive. */
export function questionHtml(html: SessionHtml, { callId, name, call }: PendingCall, path: string): string {
  const { escapeHtml, readableText } = html;
  const data = objectOf(call);
  const [details, request] = [objectOf(data['confirmationDetails']), objectOf(data['request'])];
  const title = typeof details['title'] === 'string' ? details['title'] : name;
  const offered = details['offeredOutcomes'];
  const outcomes = questionsOf(details).length > 0 ? ANSWERS : OUTCOMES;
  const buttons = outcomes
    .filter(([outcome]) => !Array.isArray(offered) || offered.includes(outcome))
    .map(
      ([outcome, label, look]) =>
        `<button class="${look}" type="submit" name="outcome" value="${outcome}">${label}</button>`,
    );
  return `<form class="question" method="post" action="${path}/answers">
<h2>${escapeHtml(readableText(title))} <code>${escapeHtml(readableText(name))}</code></h2>
${detailsHtml(html, details, objectOf(request['args']))}
<input type="hidden" name="callId" value="${escapeHtml(callId)}">
${buttons.join('\n')}
</form>`;
}

function detailsHtml(html: SessionHtml, details: Record<string, unknown>, args: object): string {
  const { escapeHtml, readableText, diffHtml } = html;
  const pre = (text: string) => `<pre class="output">\n${escapeHtml(readableText(text))}</pre>`;
  const { type, command, fileDiff, filePath, newContent, additionalPermissions } = details;
  const questions = questionsOf(details);
  if (questions.length > 0) return questions.map((asked, at) => askedHtml(html, asked, at)).join('\n');
  if (type === 'exec' && typeof command === 'string') return pre(command);
  if (type === 'sandbox_expansion') {
    const more = JSON.stringify(additionalPermissions, null, 2) ?? '';
    return `${pre(String(command))}\n<p>It asks for more than the sandbox allows:</p>\n${pre(more)}`;
  }
  if (type === 'edit' && typeof fileDiff === 'string') {
    const edit =
      typeof newContent === 'string'
        ? `<details><summary>Edit before it is written</summary><textarea class="code" name="newContent" spellcheck="false">\n${escapeHtml(newContent)}</textarea></details>`
        : '';
    return `<p><code>${escapeHtml(readableText(String(filePath ?? '')))}</code></p>\n${diffHtml(readableText(fileDiff))}\n${edit}`;
  }
  return pre(JSON.stringify(args, null, 2));
}

function questionsOf({ type, questions }: Record<string, unknown>): Record<string, unknown>[] {
  return type === 'ask_user' && Array.isArray(questions) ? questions.map(objectOf) : [];
}

/** One of the model's questions: its options, and a line for words of the user's own. */
function askedHtml(
  { escapeHtml, readableText }: SessionHtml,
  asked: Record<string, unknown>,
  at: number,
): string {
  const text = (value: unknown) => escapeHtml(readableText(String(value ?? '')));
  const { question, header, type, options, multiSelect, placeholder, isClosed } = asked;
  const kind = multiSelect === true ? 'checkbox' : 'radio';
  const offered =
    type === 'yesno' ? [{ label: 'Yes' }, { label: 'No' }] : Array.isArray(options) ? options : [];
  const choices = offered
    .map(objectOf)
    .map(
      ({ label, description }) =>
        `<label class="choice"><input type="${kind}" name="answer${at}" value="${escapeHtml(String(label))}"> ${text(label)}${description ? ` <span class="cost">${text(description)}</span>` : ''}</label>`,
    );
  const own =
    isClosed === true || type === 'yesno'
      ? ''
      : `<input type="text" name="own${at}" autocomplete="off" aria-label="${text(header)}" placeholder="${text(placeholder ?? (offered.length > 0 ? 'Something else' : ''))}">`;
  return `<fieldset><legend>${text(question)}</legend>\n${choices.join('\n')}\n${own}</fieldset>`;
}

/** By the number of the question, as `ask_user` wants them; undefined: the form has none. */
export function answersIn(fields: URLSearchParams): Record<string, string> | undefined {
  const answers: Record<string, string> = {};
  for (const name of new Set(fields.keys())) {
    const at = /^(?:answer|own)(\d+)$/.exec(name)?.[1];
    if (at === undefined || at in answers) continue;
    const given = [...fields.getAll(`answer${at}`), fields.get(`own${at}`) ?? ''].map((text) => text.trim());
    const answer = given.filter((text) => text !== '').join(', ');
    if (answer !== '') answers[at] = answer;
  }
  return Object.keys(answers).length > 0 ? answers : undefined;
}
