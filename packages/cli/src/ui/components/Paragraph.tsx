/** Text that wraps at spaces. Its rows can be counted before it is laid out (`paragraphRows`), which windows of lists need. */
import { Text, type TextProps } from 'ink';
import { wrapText } from '../text/columns.js';
import { useLook } from '../use-look.js';

export interface ParagraphProps extends Pick<TextProps, 'color' | 'bold'> {
  text: string;
  /** Columns that stand before it. */
  indent?: number;
}

export function Paragraph({ text, indent = 0, ...style }: ParagraphProps) {
  const { width } = useLook();
  return <Text {...style}>{wrapText(text, Math.max(1, width - indent)).join('\n')}</Text>;
}

export function paragraphRows(text: string, width: number): number {
  return text === '' ? 0 : wrapText(text, Math.max(1, width)).length;
}
