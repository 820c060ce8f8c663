/** What went wrong, in the dialog where it happened; nothing where all is well. */
import { cleanLine } from '../text/clean.js';
import { useTheme } from '../use-look.js';
import { Paragraph } from './Paragraph.js';

export function ErrorText({ text }: { text: string }) {
  const theme = useTheme();
  return text === '' ? null : <Paragraph text={cleanLine(text)} color={theme.status.error} />;
}
