/** What the model says it works on: a heading and its intent, not a tool call with a name and a result. */
import type { ToolView } from '../../history/item.js';
import type { Look } from '../look.js';
import { cleanLine } from '../text/clean.js';
import { paintSpans, type Span, span, wrapSpans } from '../text/spans.js';
import { stylesOf } from '../themes/styles.js';

export const TOPIC_TOOL = 'update_topic';

export function topicLines({ description, display }: ToolView, look: Look): string[] {
  const styles = stylesOf(look.theme);
  const title = cleanLine(description);
  const intent = typeof display === 'string' ? cleanLine(display) : '';
  if (look.screenReader) return wrapped([span(['Topic', title, intent].filter(Boolean).join(': '))], look);
  if (title === '') return wrapped([span(intent, styles.secondary)], look);
  return wrapped([span(title, styles.accentBold), span(intent && `  ${intent}`, styles.secondary)], look);
}

function wrapped(spans: readonly Span[], look: Look): string[] {
  return wrapSpans([...spans], look.width).map((row) => paintSpans(row, look.paint));
}
