/** What a command hands over to be shown: elements of its own, or text. */
import { Children, type ReactNode } from 'react';
import { cleanText } from '../text/clean.js';
import { Paragraph } from './Paragraph.js';

export function Prose({ children }: { children: ReactNode }) {
  return Children.map(children, (child) =>
    typeof child === 'string' || typeof child === 'number' ? (
      <Paragraph text={cleanText(String(child))} />
    ) : (
      child
    ),
  );
}
