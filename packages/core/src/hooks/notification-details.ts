/** The part of a confirmation that hooks get to see. */
import type { ConfirmationView } from '../protocol/questions.js';

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  edit: ['fileName', 'filePath', 'fileDiff', 'originalContent', 'newContent', 'isModifying'],
  exec: ['command', 'rootCommand'],
  mcp: ['serverName', 'toolName', 'toolDisplayName'],
  info: ['prompt', 'urls'],
};

export function notificationDetails(details: ConfirmationView): Record<string, unknown> {
  const { type, title } = details;
  const fields = FIELDS[type] ?? [];
  const given = fields.map((field): [string, unknown] => [field, Reflect.get(details, field)]);
  return { type, title, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
}
