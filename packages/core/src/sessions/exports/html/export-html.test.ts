import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../platform/redaction/redact.js';
import type { ConversationRecord, MessageRecord, ToolCallRecord } from '../../../protocol/session-record.js';
import { exportSessionHtml } from './load.js';

const TIME = '2026-11-15T10:00:00.000Z';
const SECRET = 'hunter2veryverysecretword99';

let ids = 0;
function said(type: string, content: MessageRecord['content'], more: Partial<MessageRecord> = {}) {
  return { id: `m${ids++}`, timestamp: TIME, type, content, ...more };
}

function call(more: Partial<ToolCallRecord>): MessageRecord {
  const one = { id: 'c', name: 'tool', args: {}, status: 'success', timestamp: TIME, ...more };
  return said('gemini', '', { toolCalls: [one as ToolCallRecord] });
}

async function page(messages: MessageRecord[], more: Partial<ConversationRecord> = {}): Promise<string> {
  const redactor = new Redactor();
  redactor.addSecret(SECRET);
  const record: ConversationRecord = {
    sessionId: 's1',
    projectHash: 'hash',
    startTime: TIME,
    lastUpdated: TIME,
    kind: 'main',
    messages,
    messageCount: messages.length,
    userMessageCount: 1,
    hasUserOrAssistantMessage: true,
    ...more,
  };
  const pieces = await exportSessionHtml(record, {
    redact: (value) => redactor.redactValue(value),
    timeZone: 'UTC',
  });
  return [...pieces].join('');
}

/** The part of the page made from the content: between the table of prompts and the end. */
async function body(...messages: MessageRecord[]): Promise<string> {
  const html = await page(messages);
  return html.slice(html.indexOf('<main>'), html.indexOf('</main>'));
}

describe('the head of the page', () => {
  it('names title, date, model, tokens and changes', async () => {
    const fileDiff = '--- a\n+++ a\n@@ -1,2 +1,3 @@\n x\n-y\n+z\n+w\n';
    const display = { fileDiff, fileName: 'a', filePath: '/p/a', originalContent: '', newContent: '' };
    const tokens = { input: 12_400, output: 300, cached: 0, thoughts: 50, total: 12_750 };
    const html = await page([
      said('user', 'Do <it>'),
      said('gemini', 'Yes', { model: 'gemini-x', tokens, timestamp: '2026-11-15T10:01:05.000Z' }),
      call({ resultDisplay: display }),
    ]);
    expect(html).toContain('<title>Do &lt;it&gt;</title>');
    expect(html).toContain('15 Nov 2026, 10:00</time> <small>1 min 5 s</small>');
    expect(html).toContain('<dt>Model</dt><dd>gemini-x</dd>');
    expect(html).toContain('12.4K in, 350 out');
    expect(html).toContain('1 file <b class="plus">+2</b> <b class="minus">−1</b>');
    expect(html).toContain('<li><a href="#prompt-1" dir="auto">Do &lt;it&gt;</a></li>');
  });

  it('shows the name of the session and tells what is missing from it', async () => {
    const html = await page([said('user', 'x')], { summary: 'My name', problems: ['1 line was skipped.'] });
    expect(html).toContain('<h1 dir="auto">My name</h1>');
    expect(html).toContain('1 line was skipped.');
  });

  it('is written for an empty session', async () => {
    expect(await page([])).toContain('<title>Session</title>');
  });
});

describe('the page', () => {
  it('hides context messages and numbers prompts', async () => {
    const html = await body(
      said('user', '<session_context>secret environment</session_context>', { origin: 'context' }),
      said('user', 'first'),
      said('user', 'a reminder', { origin: 'reminder' }),
      said('user', 'second'),
    );
    expect(html).not.toMatch(/environment|reminder/);
    expect(html.match(/id="prompt-\d"/g)).toEqual(['id="prompt-1"', 'id="prompt-2"']);
  });

  it('shows prompts as typed and answers as Markdown', async () => {
    const html = await body(
      said('user', 'two *lines*\n  of text'),
      said('gemini', '# Head\n\n**bold** `a<b`'),
    );
    expect(html).toContain('two *lines*\n  of text');
    expect(html).toContain('<h3>Head</h3>');
    expect(html).toContain('<strong>bold</strong> <code>a&lt;b</code>');
  });

  it('shows what the user typed where the sent text differs', async () => {
    const html = await body(
      said('user', 'explain the file: long content', { displayContent: 'explain @a.txt' }),
    );
    expect(html).toContain('explain @a.txt');
    expect(html).not.toContain('long content');
  });

  it('shows folded thoughts, and notes', async () => {
    const thoughts = [{ subject: 'The plan', description: 'first **this**', timestamp: TIME }];
    const html = await body(said('gemini', 'x', { thoughts }), said('error', 'It <broke>'), said('new', 'n'));
    expect(html).toMatch(/<details class="thoughts">[\s\S]*The plan[\s\S]*first <strong>this<\/strong>/);
    expect(html).toContain('<p class="note error">It &lt;broke&gt;</p>');
    expect(html).toContain('[new, written by a newer version] n');
  });

  it('embeds pictures and names other media', async () => {
    const html = await body(
      said('user', [
        { text: 'look' },
        { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
        { inlineData: { mimeType: 'image/svg+xml', data: 'PHN2Zz4=' } },
        { inlineData: { mimeType: 'image/png', data: '" onerror="alert(1)' } },
      ]),
    );
    expect(html.match(/<img [^>]*>/g)).toEqual([
      '<img alt="image/png" loading="lazy" src="data:image/png;base64,iVBORw0KGgo=">',
    ]);
    expect(html).toContain('image/svg+xml, 6 bytes attached');
    expect(html).not.toContain('onerror');
  });
});

describe('malicious content', () => {
  it.each([
    '<script>x()</script>',
    '<img src=x onerror=x()>',
    'a <b onclick="x()">b</b>',
    '<svg/onload=x()>',
    '</details></main><script>x()</script>',
    '```html"onload="x()\n<script>x()</script>\n```',
    '[a]: <javascript:x()> "t"\n\n[a]',
    '![<script>x()</script>](https://evil.example/a.png)',
  ])('is shown as text in an answer: %s', async (text) => {
    const html = await body(said('gemini', text));
    expect(html).not.toMatch(/<(?:script|img|svg|b)\b|<[^>]*\son\w+\s*=/i);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    'src/a.ts',
  ])('does not become a link: %s', async (address) => {
    expect(await body(said('gemini', `[a](<${address}>) and ![b](<${address}>)`))).not.toMatch(
      / href="(?!#)/,
    );
  });

  it('does not keep web addresses from being links, which send no referrer', async () => {
    const html = await body(said('gemini', '[a](https://a.example/?q="x"&y) <m@a.example>'));
    expect(html).toContain('href="https://a.example/?q=%22x%22&amp;y" rel="noopener noreferrer nofollow"');
    expect(html).toContain('href="mailto:m@a.example"');
  });

  it('is shown as text in every field of a call', async () => {
    const evil = '"><script>x()</script>';
    const todo = { description: evil, status: evil };
    for (const resultDisplay of [
      evil,
      [[{ text: evil, fg: evil, bold: true }]],
      { todos: [todo, null] },
      { fileDiff: `@@ -1 +1 @@${evil}\n-${evil}\n+${evil}`, filePath: evil },
      { summary: evil, matches: [{ filePath: evil, lineNumber: evil, line: evil }, null] },
      { summary: evil, files: [evil, 3] },
      { isSubagentProgress: true, agentName: evil, recentActivity: [{ content: evil }] },
      { unknown: evil },
    ] as ToolCallRecord['resultDisplay'][]) {
      const status = evil as ToolCallRecord['status'];
      const html = await body(
        call({
          name: evil,
          displayName: evil,
          description: evil,
          args: { [evil]: evil },
          status,
          ...(resultDisplay && { resultDisplay }),
        }),
      );
      expect(html).not.toContain('<script');
      expect(html).toContain('&lt;script&gt;');
    }
  });

  it('cannot control a terminal or reorder text', async () => {
    const html = await body(said('user', 'a\u001b[31mred\u001b[0m \u202eevil\u0007'));
    expect(html).toContain('ared \\u{202E}evil</p>');
  });

  it('cannot break rendering by nesting', async () => {
    const html = await body(said('gemini', `${'>'.repeat(5000)}x`), said('gemini', 'after'));
    expect(html).toContain('<pre class="plain">');
    expect(html).toContain('<p>after</p>');
  });
});

describe('secrets', () => {
  it('are masked everywhere, also when control sequences or colours split them', async () => {
    const half = [SECRET.slice(0, 9), SECRET.slice(9)];
    const html = await page(
      [
        said('user', `use ${SECRET}`),
        said('gemini', `**${SECRET}** ${half.join('\u001b[0m')}`, { model: SECRET }),
        call({ args: { key: SECRET }, resultDisplay: SECRET, description: SECRET }),
        call({ resultDisplay: [half.map((text) => ({ text }))] as ToolCallRecord['resultDisplay'] & object }),
      ],
      { summary: SECRET, sessionId: SECRET },
    );
    expect(html).not.toContain(SECRET);
    expect(html).toContain('[redacted]');
  });

  it('are not masked in pictures, where they are chance', async () => {
    const data = `iVBORw0KGgo${SECRET}A`;
    const html = await body(
      said('user', [{ text: SECRET }, { inlineData: { mimeType: 'image/png', data } }]),
    );
    expect(html).toContain(`base64,${data}"`);
    expect(html.split(SECRET)).toHaveLength(2);
  });
});

describe('tool calls', () => {
  it('are folded, with status, arguments and output', async () => {
    const html = await body(
      call({
        displayName: 'Shell',
        status: 'error',
        args: { command: 'ls\n-l', n: [1] },
        resultDisplay: 'bad',
      }),
    );
    expect(html).toContain('<details class="tool bad">');
    expect(html).toContain('aria-label="error"');
    expect(html).toContain('<dt>command</dt><dd>ls\n-l</dd>');
    expect(html).toContain('<pre class="output">\nbad</pre>');
  });

  it('show the response to the model when they have no display', async () => {
    const response = (said: object) => [{ functionResponse: { name: 't', response: { ...said } } }];
    const html = await body(call({ result: response({ error: 'no file' }) }), call({ result: null }));
    expect(html).toContain('no file</pre>');
    expect(html).toContain('No output.');
  });

  it('number the lines of a diff', async () => {
    const fileDiff =
      '--- a\n+++ a\n@@ -8,3 +9,3 @@ fn\n same\n--- old\n+++ new\n\\ No newline at end of file\n';
    const display = { fileDiff, fileName: 'a', filePath: 'a', originalContent: '', newContent: '' };
    const html = await body(call({ resultDisplay: display }));
    const rows = html.match(/<tr.*<\/tr>/g);
    expect(rows).toEqual([
      '<tr class="hunk"><td colspan="2"></td><td>fn</td></tr>',
      '<tr class="same"><td class="n" data-n="8"></td><td class="n" data-n="9"></td><td data-sign="">same</td></tr>',
      '<tr class="del"><td class="n" data-n="9"></td><td class="n"></td><td data-sign="−">-- old</td></tr>',
      '<tr class="add"><td class="n"></td><td class="n" data-n="10"></td><td data-sign="+">++ new</td></tr>',
      '<tr class="note"><td class="n"></td><td class="n"></td><td data-sign="">No newline at end of file</td></tr>',
    ]);
  });

  it('show the beginning and the end of long output', async () => {
    const html = await body(call({ resultDisplay: `first\n${'x'.repeat(1_000_000)}\nlast` }));
    expect(html.length).toBeLessThan(300_000);
    expect(html).toContain('first\n');
    expect(html).toContain('last</pre>');
    expect(html).toContain('characters left out');
  });
});

it('returns the page in pieces, so that a long session is never one string', async () => {
  const messages = Array.from({ length: 500 }, (_, n) => said(n % 2 ? 'gemini' : 'user', `text ${n}`));
  let touched = 0;
  const watched = messages.map((message) =>
    Object.defineProperty({ ...message }, 'toolCalls', { get: () => void touched++, enumerable: true }),
  );
  const record = { sessionId: 's', startTime: TIME, messages: watched } as unknown as ConversationRecord;
  const pieces = await exportSessionHtml(record, { redact: (value) => value });
  const iterator = pieces[Symbol.iterator]();
  iterator.next();
  const afterHead = touched;
  iterator.next();
  expect(touched - afterHead).toBeLessThan(20);
});
