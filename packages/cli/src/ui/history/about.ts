/** The lines of `/about`. */
import type { AboutView } from '../../history/item.js';
import type { Look } from '../look.js';
import { narrower } from '../text/narrow.js';
import { BOX_COLUMNS, boxed } from './box.js';
import { type Field, fieldLines, title } from './fields.js';

export function aboutLines(about: AboutView, look: Look): string[] {
  const inner = narrower(look, BOX_COLUMNS);
  const rows: [string, string | undefined][] = [
    ['CLI Version', about.version],
    ['Made by', 'an independent project, not Google; report problems with /bug'],
    ['Git Commit', about.commit === 'N/A' ? undefined : about.commit],
    ['Model', about.model],
    ['Sandbox', about.sandbox],
    ['Harmless commands', about.containment],
    ['OS', about.os],
    ['Auth Method', about.auth],
    ['Tier', about.tier],
    ['Account', about.account],
    ['IDE Client', about.ide],
  ];
  const fields = rows.flatMap(([label, value]): Field[] => (value ? [{ label, value }] : []));
  return boxed([title('About Gemini CLI', look), '', ...fieldLines(fields, inner)], look);
}
