/** Draws one-line messages with a symbol: information, warnings, errors, hints, compression, model changes. */
import type { HistoryItemWithoutId } from '../../history/item.js';
import type { Look } from '../look.js';
import { cleanText } from '../text/clean.js';
import { paintSpans, span, wrapSpans } from '../text/spans.js';
import { textWidth } from '../text/width.js';
import type { Style } from '../themes/style.js';
import { type Styles, stylesOf } from '../themes/styles.js';

type Notice = Extract<HistoryItemWithoutId, { type: 'info' | 'warning' | 'error' | 'hint' }>;

const SIGNS: Record<
  Notice['type'],
  { sign: string; word: string; style: (styles: Styles) => Style; text: (styles: Styles) => Style }
> = {
  info: { sign: 'ℹ', word: 'Info: ', style: (styles) => styles.link, text: (styles) => styles.primary },
  warning: {
    sign: '⚠',
    word: 'Warning: ',
    style: (styles) => styles.warning,
    text: (styles) => styles.warning,
  },
  error: { sign: '✕', word: 'Error: ', style: (styles) => styles.error, text: (styles) => styles.error },
  hint: { sign: '💡', word: 'Hint: ', style: (styles) => styles.warning, text: (styles) => styles.secondary },
};

export function noticeLines({ type, text, advice }: Notice, look: Look): string[] {
  const { sign, word, style, text: textStyle } = SIGNS[type];
  const styles = stylesOf(look.theme);
  const lines = signed(
    sign,
    word,
    cleanText(text).replace(/\n+$/, ''),
    { ...style(styles), underline: false },
    textStyle(styles),
    look,
  );
  if (advice === undefined) return lines;
  const indent = look.screenReader ? '' : '  ';
  const body = wrapSpans([span(advice, styles.secondary)], look.width - indent.length);
  return [...lines, ...body.map((line) => indent + paintSpans(line, look.paint))];
}

export function compressionLines(
  item: Extract<HistoryItemWithoutId, { type: 'compression' }>,
  look: Look,
): string[] {
  const styles = stylesOf(look.theme);
  return signed(
    item.isPending ? '⠿' : '✦',
    '',
    compressionText(item),
    styles.accent,
    item.isPending ? styles.accent : styles.success,
    look,
  );
}

function compressionText(item: Extract<HistoryItemWithoutId, { type: 'compression' }>): string {
  if (item.isPending) return 'Compressing the conversation …';
  const { originalTokens: before, newTokens: after } = item;
  switch (item.status) {
    case 'NOOP':
      return 'Nothing to compress.';
    case 'COMPRESSION_FAILED_INFLATED_TOKEN_COUNT':
      return 'The summary would have been longer than the chat history, which stays as it is.';
    case 'COMPRESSION_FAILED_EMPTY_SUMMARY':
    case 'COMPRESSION_FAILED_TOKEN_COUNT_ERROR':
      return 'Compressing failed; the chat history stays as it is.';
    default:
      if (before === undefined || after === undefined) return 'Chat history compressed.';
      return `Chat history compressed from ${before.toLocaleString('en-US')} to ${after.toLocaleString('en-US')} tokens.`;
  }
}

export function modelChangeLines(model: string, reason: string | undefined, look: Look): string[] {
  const styles = stylesOf(look.theme);
  const text = `Model: ${cleanText(model)}${reason ? ` (${cleanText(reason)})` : ''}`;
  return signed('↪', '', text, styles.secondary, styles.secondary, look);
}

function signed(
  sign: string,
  word: string,
  text: string,
  signStyle: Style,
  style: Style,
  look: Look,
): string[] {
  if (look.screenReader)
    return wrapSpans([span(word + text)], look.width).map((line) => paintSpans(line, look.paint));
  const lead = textWidth(sign) + 1;
  return wrapSpans([span(text, style)], Math.max(1, look.width - lead)).map((line, index) => {
    const start = index === 0 ? `${look.paint(sign, signStyle)} ` : ' '.repeat(lead);
    return start + paintSpans(line, look.paint);
  });
}
