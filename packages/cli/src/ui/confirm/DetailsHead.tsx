/** All that stands above the question: what wants it, what to beware of, what a hook says, what would be done. */
import { visibleName, visibleText } from '@gemini-cli/core';
import type { Look } from '../look.js';
import { wrapText } from '../text/columns.js';
import { bodyLines } from './body.js';
import type { ConfirmationRequest } from './request.js';
import { warningsFor } from './warnings.js';

/** @param isTight there are few rows: none is left empty */
export function contentLines(
  look: Look,
  request: ConfirmationRequest,
  { width, isTight }: { width: number; isTight: boolean },
): string[] {
  const { details } = request;
  const message = details.systemMessage ? wrapText(visibleText(details.systemMessage), width) : [];
  const body = bodyLines(look, request, width);
  return [
    ...headLines(look, request, width),
    ...warningsFor(details).flatMap((text) => warningLines(look, text, width)),
    ...message.map((row) => look.paint(row, { color: look.theme.status.warning })),
    ...(body.length > 0 && !isTight ? [''] : []),
    ...body,
  ];
}

function headLines(
  { paint, theme, screenReader }: Look,
  { details, displayName, toolName, subagent }: ConfirmationRequest,
  width: number,
): string[] {
  const name = visibleName(displayName ?? toolName);
  const who = subagent ? ` (agent ${visibleName(subagent)})` : '';
  const mark = screenReader ? '' : '? ';
  return wrapText(`${mark}${name}${who}: ${visibleName(details.title)}`, width).map((row) =>
    paint(row, { color: theme.text.accent, bold: true }),
  );
}

function warningLines({ paint, theme, screenReader }: Look, text: string, width: number): string[] {
  const mark = screenReader ? 'Warning: ' : '⚠ ';
  return wrapText(mark + visibleText(text), width).map((row) =>
    paint(row, { color: theme.status.warning, bold: true }),
  );
}
