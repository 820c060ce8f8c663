/** A look without any colour: what a test compares is the text. */
import type { Look } from '../look.js';
import type { Theme } from '../themes/theme.js';

export function plainLook(width = 80): Look {
  return {
    width,
    theme: PLAIN,
    paint: (text) => text,
    depth: 'none',
    hasAttributes: false,
    screenReader: false,
    renderMarkdown: true,
    showLineNumbers: true,
    compactTools: true,
    showThinking: false,
    expanded: false,
  };
}

const PLAIN: Theme = {
  name: 'Plain',
  type: 'none',
  text: { primary: '', secondary: '', link: '', accent: '', response: '' },
  background: { primary: '', input: '', diff: { added: '', removed: '' } },
  border: { default: '', focused: '' },
  status: { success: '', warning: '', error: '' },
  ui: { comment: '', symbol: '', focus: '', gradient: [] },
  syntax: {},
};
