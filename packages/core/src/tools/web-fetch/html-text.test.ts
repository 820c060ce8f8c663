import { describe, expect, it } from 'vitest';
import { htmlToText } from './html-text.js';
import { sanitizeHtml } from './sanitize-html.js';

const sanitized = (html: string) => sanitizeHtml(html, { maxLength: 1_000_000 });

describe('the text of a page', () => {
  it('has title, headings, paragraphs, lists and tables, and nothing that is not for readers', async () => {
    const text = await htmlToText(`<!DOCTYPE html><html><head><title>The title</title><meta charset=utf-8>
      <style>p { color: red }</style><script>if (a < b) alert("<p>no</p>")</script></head>
      <body onload="steal()"><!-- a comment <p>no</p> --><h1>Head</h1><p>Some <b>bold</b> text &amp; more.</p>
      <ul><li>one<li>two</ul><table><tr><th>a<th>b</tr><tr><td>1</td><td>2</td></tr></table>
      <svg><text>no</text></svg><noscript>no</noscript><img src="x.png" alt="no"><SCRIPT>no</SCRIPT ></body></html>`);
    expect(text).toContain('The title');
    expect(text).toMatch(/Head\n\nSome bold text & more\./);
    expect(text).toMatch(/\* one\n\s*\* two/);
    expect(text).toMatch(/a \| b\n1 \| 2/);
    expect(text).not.toMatch(/no\b|alert|color|steal|comment|x\.png/);
  });

  it('shows where links lead only if asked to', async () => {
    const html =
      '<a href="/x?a=1&amp;b=2">one</a> <a href="javascript:alert(1)">two</a> <a href="#top">three</a>';
    expect(await htmlToText(html)).toBe('one two three');
    expect(await htmlToText(html, { linksFrom: new URL('https://a.example/dir/') })).toBe(
      'one [https://a.example/x?a=1&b=2] two three',
    );
  });

  it('survives tags that are never closed, never opened or not tags at all', async () => {
    expect(await htmlToText('<p>a <i>b</p> c</div></b> 1 < 2 & 3 <')).toMatch(/^a b\n\nc 1 < 2 & 3 <$/);
    expect(await htmlToText('a<script>never closed')).toBe('a');
    expect(await htmlToText('a<svg/>b<noscript>c <svg>d')).toBe('abc d');
    expect(await htmlToText('a<!-- never closed')).toBe('a');
    expect(await htmlToText('a<b title="never closed>')).toBe('a');
    expect(await htmlToText('<a title="1 > 0">x</a>')).toBe('x');
    expect(await htmlToText('')).toBe('');
  });
});

describe('hostile HTML', () => {
  it('is never deeper than the limit, whatever is left open', () => {
    for (const html of ['<div>'.repeat(30_000), '<p><div><b></p>'.repeat(20_000), '<b></i>'.repeat(30_000)]) {
      let depth = 0;
      let deepest = 0;
      for (const [tag] of sanitized(html).matchAll(/<\/?\w+>/g)) {
        depth += tag.startsWith('</') ? -1 : 1;
        deepest = Math.max(deepest, depth);
      }
      expect(depth).toBe(0);
      expect(deepest).toBeLessThanOrEqual(100);
    }
  });

  it('is cut at the limit of its length', () => {
    expect(sanitizeHtml('<p>'.repeat(10) + 'x'.repeat(5_000), { maxLength: 1_000 }).length).toBeLessThan(
      1_100,
    );
    expect(sanitizeHtml('<br>'.repeat(5_000), { maxLength: 1_000 }).length).toBeLessThan(1_100);
  });

  it.each([
    ['deep', '<div>'.repeat(150_000) + '</span>'.repeat(150_000)],
    ['lists in lists', '<ul><li>'.repeat(100) + '<li>x'.repeat(150_000)],
    ['quotes without end', '<a href="'.repeat(150_000)],
    ['comments without end', '<!-'.repeat(500_000)],
    ['scripts inside scripts', '<script></script'.repeat(150_000)],
    ['drawings without end', '<svg>x'.repeat(150_000)],
    ['only brackets', '<'.repeat(2_000_000)],
    ['wide tables', `<table><tr>${'<td colspan="1000000000">x'.repeat(100_000)}`],
  ])('is processed in bounded time: %s', { timeout: 30_000 }, async (_what, html) => {
    expect(typeof (await htmlToText(html))).toBe('string');
  });
});
