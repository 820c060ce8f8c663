/** The frame of an exported session: head, facts, table of prompts, end. */
import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.js';
import { PAGE_SCRIPT } from './page-script.js';
import { PAGE_STYLE } from './page-style.js';
import { counted, durationText, type SessionFacts, shortNumber } from './session-facts.js';

/** Without secrets and control characters, not yet escaped. */
export interface PageHead {
  title: string;
  /** Beginnings of the prompts, in their order. */
  prompts: readonly string[];
  facts: SessionFacts;
  models: readonly string[];
  sessionId: string;
  /** ISO time. */
  startTime: string;
  /** Problems of the recording that the reader should know. */
  problems: readonly string[];
  time(iso: string): string;
}

export function pageStart(head: PageHead): string {
  const title = escapeHtml(head.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header class="top">
<p class="kind">Session</p>
<h1 dir="auto">${title}</h1>
<dl class="facts">
${factsHtml(head)}
</dl>
${problemsHtml(head)}</header>
<div class="columns">
${navHtml(head.prompts)}<main>
`;
}

export function pageEnd({ sessionId }: PageHead): string {
  return `</main>
</div>
<footer class="end">Session <code>${escapeHtml(sessionId)}</code>, exported by <code>gemini sessions export</code></footer>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** Allows only our style and script (by hash) and pictures inside the page. */
const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(PAGE_STYLE)}`,
  `script-src ${hashOf(PAGE_SCRIPT)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function factsHtml({ facts, models, startTime, time }: PageHead): string {
  const { files, tokens, prompts, calls } = facts;
  const duration = durationText(facts.durationMs);
  const began = time(startTime);
  const cached = tokens.cached > 0 ? `${shortNumber(tokens.cached)} cached` : '';
  const entries: [name: string, html: string][] = [
    [
      'Started',
      began && `<time datetime="${escapeHtml(startTime)}">${escapeHtml(began)}</time>${note(duration)}`,
    ],
    [models.length === 1 ? 'Model' : 'Models', escapeHtml(models.join(', '))],
    ['Work', `${counted(prompts, 'prompt')}${note(calls > 0 ? counted(calls, 'tool call') : '')}`],
    [
      'Tokens',
      facts.allTokens > 0
        ? `${shortNumber(tokens.input)} in, ${shortNumber(tokens.output)} out${note(cached)}`
        : '',
    ],
    [
      'Changes',
      files.size > 0
        ? `${counted(files.size, 'file')} <b class="plus">+${facts.added}</b> <b class="minus">−${facts.removed}</b>`
        : '',
    ],
  ];
  return entries
    .filter(([, html]) => html !== '')
    .map(([name, html]) => `<div><dt>${name}</dt><dd>${html}</dd></div>`)
    .join('\n');
}

function note(text: string): string {
  return text === '' ? '' : ` <small>${escapeHtml(text)}</small>`;
}

function problemsHtml({ problems }: PageHead): string {
  return problems.map((text) => `<p class="note warning">${escapeHtml(text)}</p>\n`).join('');
}

function navHtml(prompts: readonly string[]): string {
  const items = prompts.map(
    (text, index) => `<li><a href="#prompt-${index + 1}" dir="auto">${escapeHtml(text)}</a></li>`,
  );
  const list = items.length > 0 ? `<h2>Prompts</h2>\n<ol>\n${items.join('\n')}\n</ol>\n` : '';
  return `<nav aria-label="Prompts">\n${list}<button type="button" id="fold" hidden>Unfold all</button>\n</nav>\n`;
}
