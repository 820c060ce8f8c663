/** The frame of every page: one style, one script, both allowed by their hash and nothing else. */
import { createHash } from 'node:crypto';
import type { SessionHtml } from '@gemini-cli/core/server';
import { PAGE_SCRIPT } from './script.js';

export interface PageContent {
  title: string;
  kind: string;
  /** Pairs below the title. */
  facts: readonly (readonly [name: string, html: string])[];
  main: string;
  /** Read by the script. */
  live: 'list' | 'task' | 'none';
  /** What the page shows, as `markOf` says it; the script asks for what came after. */
  seen?: string;
}

/** Beside the style of the session export. */
const EXTRA = `
.wide table.tasks { width: 100%; font-size: 0.95rem; }
.tasks td { vertical-align: baseline; } .tasks .words a { font-weight: 600; text-decoration: none; }
.tasks .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.state { border-radius: 999px; padding: 0.05rem 0.7rem; font-size: 0.8rem; font-weight: 600; white-space: nowrap; background: var(--code); color: var(--soft); }
.state.working, .state.submitted { background: var(--tint); color: var(--accent); }
.state.input-required { background: var(--warn-tint); color: var(--warn); }
.state.completed { background: var(--plus-tint); color: var(--plus); }
.state.failed, .state.canceled, .state.rejected { background: var(--minus-tint); color: var(--minus); }
.one { max-width: 68rem; margin: 0 auto; padding: 2.2rem 1.5rem 3rem; }
.top a { color: inherit; }
form.say, .question { border: 1px solid var(--line); border-radius: 14px; background: var(--card); padding: 1rem 1.25rem; margin: 1.4rem 0; }
.question { border-color: var(--warn); } .question h2 { margin: 0 0 0.6rem; font-size: 1rem; }
textarea, input[type=text] { width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 0.5rem 0.7rem; }
fieldset { border: 0; padding: 0; margin: 0.9rem 0 0; min-width: 0; } legend { font-weight: 600; padding: 0; white-space: pre-wrap; }
label.choice { font-size: inherit; color: inherit; margin: 0.35rem 0; } label.choice input { margin-right: 0.4rem; }
.question summary { color: var(--accent); font-size: 0.9rem; padding-top: 0.6rem; }
textarea.code { font-family: var(--mono); font-size: 0.83rem; min-height: 12rem; tab-size: 4; }
label { display: block; font-size: 0.85rem; color: var(--soft); margin: 0.5rem 0 0.2rem; }
button { font: inherit; font-weight: 600; border: 1px solid var(--line); border-radius: 999px; background: var(--card); color: var(--ink); padding: 0.3rem 1.1rem; margin: 0.7rem 0.5rem 0 0; cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.no { color: var(--minus); }
#live { white-space: pre-wrap; } #live:empty { display: none; }
.empty { color: var(--soft); }
`;

export interface RenderedPage {
  html: string;
  headers: Record<string, string>;
}

export function renderPage({ PAGE_STYLE, escapeHtml }: SessionHtml, content: PageContent): RenderedPage {
  const style = `${PAGE_STYLE}${EXTRA}`;
  const facts = content.facts
    .filter(([, html]) => html !== '')
    .map(([name, html]) => `<div><dt>${name}</dt><dd>${html}</dd></div>`);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(content.title)}</title>
<style>${style}</style>
</head>
<body data-live="${content.live}" data-seen="${escapeHtml(content.seen ?? '')}">
<header class="top" id="head">
<p class="kind">${content.kind}</p>
<h1 dir="auto">${escapeHtml(content.title)}</h1>
<dl class="facts">${facts.join('\n')}</dl>
</header>
<main class="one">
${content.main}
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
  return { html, headers: headersFor(style) };
}

function headersFor(style: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(PAGE_SCRIPT)}`,
    "connect-src 'self'",
    "form-action 'self'",
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // With `no-referrer` browsers would send the origin `null` with our own forms.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
