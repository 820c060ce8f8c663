/** The look of an exported session: light and dark, wide and narrow, screen and paper. */
import { PAGE_COLORS } from './page-colors.js';

/** Must not contain `</`, because it is inside a style element. */
export const PAGE_STYLE = `${PAGE_COLORS}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.65 var(--sans); overflow-wrap: anywhere; }
code, pre, .diff, .arguments dd { font-family: var(--mono); font-variant-ligatures: none; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: from-font; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
b.plus { color: var(--plus); } b.minus { color: var(--minus); }
b.plus, b.minus { font-weight: 600; font-variant-numeric: tabular-nums; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.top { background: var(--banner); color: var(--banner-ink); padding: 3rem max(1.5rem, calc((100% - 65rem) / 2)) 2.2rem; }
.top .kind { margin: 0; font-size: 0.75rem; letter-spacing: 0.14em; text-transform: uppercase; opacity: 0.75; }
.top h1 { margin: 0.35rem 0 1.6rem; font-size: clamp(1.5rem, 1.1rem + 2vw, 2.3rem); line-height: 1.2; letter-spacing: -0.02em; text-wrap: balance; max-width: 28em; }
.facts { display: flex; flex-wrap: wrap; gap: 1rem 2.4rem; margin: 0; font-size: 0.92rem; }
.facts dt { font-size: 0.72rem; letter-spacing: 0.04em; opacity: 0.72; }
.facts dd { margin: 0; font-weight: 600; }
.facts small { font-size: inherit; font-weight: 400; opacity: 0.75; }
.facts small::before { content: "· "; }
.top b.plus, .top b.minus { color: inherit; }
.top .note { margin: 1.2rem 0 0; }

.columns { display: grid; grid-template-columns: 15rem minmax(0, 46rem); gap: 3.5rem; justify-content: space-between; max-width: 68rem; margin: 0 auto; padding: 0 1.5rem; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2.2rem 0.5rem 2rem 0; font-size: 0.86rem; line-height: 1.45; }
nav h2 { margin: 0 0 0.7rem; font-size: 0.72rem; font-weight: 600; letter-spacing: 0.1em; text-transform: uppercase; color: var(--faint); }
nav ol { list-style: none; counter-reset: prompt; margin: 0 0 1.2rem; padding: 0; }
nav li { counter-increment: prompt; }
nav a { display: flex; gap: 0.7rem; padding: 0.36rem 0.6rem 0.36rem 0; color: var(--soft); text-decoration: none; border-radius: 6px; }
nav a::before { content: counter(prompt); flex: none; min-width: 1.2rem; text-align: right; color: var(--faint); font-variant-numeric: tabular-nums; }
nav a:hover { color: var(--accent); }
#fold { font: inherit; color: var(--soft); background: var(--card); border: 1px solid var(--line); border-radius: 999px; padding: 0.32rem 0.95rem; cursor: pointer; }
#fold:hover { color: var(--accent); border-color: var(--accent); }
main { padding: 2.2rem 0 2rem; min-width: 0; }

.turn { padding-bottom: 1rem; margin-bottom: 2.2rem; border-bottom: 1px solid var(--line); }
.turn:last-child { border-bottom: 0; margin-bottom: 0; }
.prompt { background: var(--tint); border-radius: 14px; padding: 1rem 1.25rem 1.1rem; margin-bottom: 1.4rem; }
.prompt h2 { display: flex; align-items: center; gap: 0.65rem; margin: 0 0 0.45rem; font-size: 0.8rem; font-weight: 400; color: var(--soft); }
.prompt h2 a { display: inline-grid; place-items: center; min-width: 1.55rem; height: 1.55rem; padding: 0 0.4rem; border-radius: 999px; background: var(--accent); color: var(--on-accent); font-weight: 600; font-size: 0.78rem; text-decoration: none; }
.said { margin: 0; white-space: pre-wrap; font-size: 1.03rem; }
.badge { border: 1px solid var(--line); border-radius: 999px; padding: 0 0.6rem; font-size: 0.75rem; }
.cost { margin: 1.2rem 0 0.6rem; font-size: 0.8rem; color: var(--faint); }

.prose > :first-child { margin-top: 0; } .prose > :last-child { margin-bottom: 0; }
.prose p, .prose ul, .prose ol, .prose blockquote, .prose .wide, .prose pre { margin: 0 0 0.95rem; }
.prose h3, .prose h4, .prose h5, .prose h6 { margin: 1.6rem 0 0.6rem; line-height: 1.3; letter-spacing: -0.01em; }
.prose h3 { font-size: 1.25rem; } .prose h4 { font-size: 1.1rem; } .prose h5, .prose h6 { font-size: 1rem; }
.prose ul, .prose ol { padding-left: 1.5rem; } .prose li + li { margin-top: 0.25rem; }
.prose li > p { margin-bottom: 0.4rem; } .prose li input { margin: 0 0.4rem 0 0; }
.prose li::marker { color: var(--faint); }
.prose blockquote { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.prose hr { border: 0; border-top: 1px solid var(--line); margin: 1.6rem 0; }
.prose :not(pre) > code { font-size: 0.88em; background: var(--code); border-radius: 5px; padding: 0.12em 0.36em; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.prose .address { border-bottom: 1px dotted var(--faint); }
.wide { overflow-x: auto; }
.wide table { border-collapse: collapse; font-size: 0.92rem; overflow-wrap: normal; }
.wide th, .wide td { padding: 0.4rem 0.9rem 0.4rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
.wide th { font-weight: 600; } .wide .right { text-align: right; } .wide .center { text-align: center; }
.answer { margin: 1.2rem 0; }
pre { margin: 0; padding: 0.85rem 1rem; background: var(--code); border-radius: 10px; font-size: 0.83rem; line-height: 1.55; white-space: pre-wrap; tab-size: 4; position: relative; }
pre code { font: inherit; }
pre[data-language]::before { content: attr(data-language); float: right; margin-left: 1rem; font: 0.72rem var(--sans); color: var(--faint); }

details > summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
.tools { margin: 0.9rem 0; border: 1px solid var(--line); border-radius: 12px; background: var(--card); overflow: clip; }
.tool + .tool { border-top: 1px solid var(--line); }
.tool > summary, .thoughts > summary { display: flex; align-items: baseline; gap: 0.6rem; padding: 0.5rem 0.9rem; font-size: 0.88rem; line-height: 1.5; }
.tool > summary:hover { background: var(--hover); }
.mark { flex: none; width: 1em; text-align: center; font-weight: 700; color: var(--faint); }
.good .mark { color: var(--plus); } .bad .mark { color: var(--minus); }
.name { flex: none; font-weight: 600; max-width: 45%; }
.what { flex: 1; min-width: 0; color: var(--soft); font-family: var(--mono); font-size: 0.8rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
[open] > summary > .what { white-space: normal; }
.change { flex: none; font-size: 0.8rem; }
.tool > summary::after, .thoughts > summary::after, .arguments > summary::before { content: ""; flex: none; align-self: center; width: 0.38rem; height: 0.38rem; border: solid var(--faint); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); transition: transform 0.15s; }
.tool[open] > summary::after, .thoughts[open] > summary::after, .arguments[open] > summary::before { transform: rotate(45deg); }
.inside { border-top: 1px solid var(--line); font-size: 0.88rem; }
.inside > p, .inside > .prose, .inside > .todos, .inside > .media { margin: 0; padding: 0.8rem 0.95rem; }
.inside > p + .output { padding-top: 0; }
.output { max-height: 28rem; overflow: auto; border-radius: 0; background: none; padding: 0.8rem 0.95rem; }
.more { margin: 0; padding: 0.5rem 0.95rem; color: var(--faint); font-size: 0.82rem; }
.arguments { border-bottom: 1px solid var(--line); background: var(--code); }
.arguments > summary { display: flex; gap: 0.6rem; padding: 0.35rem 0.95rem; font-size: 0.76rem; color: var(--faint); }
.arguments dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1rem; margin: 0; padding: 0 0.95rem 0.7rem; font-size: 0.8rem; }
.arguments dt { color: var(--soft); max-width: 9rem; }
.arguments dd { margin: 0; white-space: pre-wrap; max-height: 18rem; overflow: auto; }
.thoughts { margin: 0.7rem 0; color: var(--soft); }
.thoughts > summary { padding: 0.15rem 0; font-size: 0.85rem; color: var(--faint); }
.thoughts .name { font-weight: 400; font-style: italic; } .thoughts .what { flex: 0 1 auto; font-family: inherit; font-style: italic; color: inherit; font-size: inherit; }
.thoughts > .prose { margin: 0.3rem 0 1rem; padding-left: 1rem; border-left: 2px solid var(--line); font-size: 0.92rem; }
.note { margin: 0.9rem 0; padding: 0.55rem 0.95rem; border-left: 3px solid var(--faint); background: var(--code); border-radius: 0 8px 8px 0; color: var(--soft); font-size: 0.88rem; white-space: pre-wrap; }
.note.warning { border-color: var(--warn); background: var(--warn-tint); color: var(--ink); }
.note.error { border-color: var(--minus); background: var(--minus-tint); color: var(--ink); }

.diff { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 0.78rem; line-height: 1.6; }
.diff td { padding: 0 0.6rem; vertical-align: top; white-space: pre-wrap; tab-size: 4; }
.diff col:not(:last-child) { width: 3.1rem; }
.diff .n { padding: 0 0.4rem; text-align: right; color: var(--faint); user-select: none; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
.diff .n::before { content: attr(data-n); }
.diff [data-sign] { position: relative; padding-left: 1.7rem; }
.diff [data-sign]::before { content: attr(data-sign); position: absolute; left: 0.55rem; color: var(--soft); user-select: none; }
.diff .add { background: var(--plus-tint); } .diff .del { background: var(--minus-tint); }
.diff .hunk td { background: var(--hover); color: var(--faint); }
.diff .note { all: unset; display: table-row; color: var(--faint); font-style: italic; }

.todos { list-style: none; }
.todos li { display: flex; gap: 0.7rem; padding: 0.12rem 0; }
.todos li::before { content: "○"; flex: none; width: 1em; text-align: center; color: var(--faint); }
.todos .completed::before { content: "✓"; color: var(--plus); font-weight: 700; }
.todos .in_progress::before { content: "◐"; color: var(--accent); } .todos .in_progress { font-weight: 600; }
.todos .cancelled::before { content: "⊘"; } .todos .blocked::before { content: "!"; color: var(--warn); font-weight: 700; }
.todos .completed { color: var(--soft); } .todos .cancelled { color: var(--faint); text-decoration: line-through; }

.media { display: flex; flex-wrap: wrap; gap: 0.7rem; margin-top: 0.8rem; }
.media img { display: block; max-width: 100%; max-height: 30rem; border-radius: 10px; border: 1px solid var(--line); background: var(--card); }
.attachment { border: 1px solid var(--line); border-radius: 999px; padding: 0.1rem 0.8rem; font-size: 0.8rem; color: var(--soft); }
.end { max-width: 68rem; margin: 0 auto; padding: 1.2rem 1.5rem 3rem; color: var(--faint); font-size: 0.8rem; text-align: right; }
.t-bold { font-weight: 700; } .t-italic { font-style: italic; } .t-underline { text-decoration: underline; } .t-dim { opacity: 0.65; }
.t-inverse { background: var(--ink); color: var(--paper); }
.c1 { color: var(--minus); } .c2 { color: var(--plus); } .c3 { color: var(--warn); } .c4 { color: var(--accent); } .c5 { color: var(--magenta); } .c6 { color: var(--cyan); }

@media (max-width: 56rem) {
  .columns { display: block; padding: 0 1rem; }
  .top { padding: 2rem 1rem 1.6rem; }
  nav { position: static; max-height: 40vh; padding: 1.3rem 0; border-bottom: 1px solid var(--line); }
  main { padding-top: 1.5rem; }
  .prompt { padding: 0.9rem 1rem; }
  .diff col:first-child { width: 0; } .diff col:nth-child(2) { width: 2.6rem; } .diff .n:first-child { padding: 0; visibility: hidden; font-size: 0; }
  .arguments dl { grid-template-columns: minmax(0, 1fr); gap: 0; } .arguments dd { margin-bottom: 0.4rem; }
}
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { transition: none !important; } html { scroll-behavior: auto; } }
@media print {
  body { font-size: 10pt; }
  .top { background: none; color: inherit; padding: 0 0 1rem; border-bottom: 2px solid var(--ink); }
  .columns { display: block; padding: 0; max-width: none; }
  nav { display: none; }
  .output, .arguments dd { max-height: none; overflow: visible; }
  .prompt, .tool > summary, tr { break-inside: avoid; }
  .prompt, .diff tr, pre { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .end { padding: 1rem 0 0; }
}
`;
