/** What a command hands over to be shown: an element of its own, or text. */
import type { ReactNode } from 'react';
import { cleanText } from '../text/clean.js';
import { Paragraph } from './Paragraph.js';

export function Prose({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? <Paragraph text={cleanText(children)} /> : children;
}
