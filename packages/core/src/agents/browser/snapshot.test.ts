import { describe, expect, it } from 'vitest';
import type { Message } from '../../protocol/messages.js';
import { PLACEHOLDER, replaceOldSnapshots } from './old-snapshots.js';
import { toolResultOf } from './response.js';
import { withUids } from './snapshot.js';

describe('a snapshot', () => {
  it('names elements by uid and keeps the rest of the tree', () => {
    const tree = `- generic [active] [ref=e1]:
  - heading "Hello" [level=1] [ref=e2]
  - textbox "Name" [ref=e5]: old
  - link "go" [ref=e11] [cursor=pointer]:
    - /url: /redir
  - iframe [ref=e13]:
    - button "In" [ref=f1e2]`;
    const { lines, labels } = withUids(tree, 3);
    expect(lines).toEqual([
      'uid=3_e1 generic [active]',
      '  uid=3_e2 heading "Hello" [level=1]',
      '  uid=3_e5 textbox "Name": old',
      '  uid=3_e11 link "go"',
      '    /url: /redir',
      '  uid=3_e13 iframe',
      '    uid=3_f1e2 button "In"',
    ]);
    expect(labels.get('3_e11')).toBe('link "go"');
  });

  it('takes no uid from the text of a page', () => {
    const { labels } = withUids('- button "x [ref=e9]" [ref=e1]: see [ref=e7]\n- text: "[ref=e8]"', 1);
    expect([...labels.keys()]).toEqual(['1_e1']);
  });

  it('hides passwords', () => {
    const tree = '- textbox "Pin" [ref=e1]: "1234"\n- textbox "Old" [ref=e2]: secret words\n- text: 1234';
    expect(withUids(tree, 1, ['1234', 'secret words']).lines).toEqual([
      'uid=1_e1 textbox "Pin": ••••••',
      'uid=1_e2 textbox "Old": ••••••',
      'text: 1234',
    ]);
  });
});

describe('old snapshots', () => {
  const response = (snapshot: string, text = 'Done.'): Message => ({
    role: 'user',
    origin: 'tool_response',
    parts: [
      {
        functionResponse: {
          name: 'click',
          response: { output: String(toolResultOf({ text, snapshot }).llmContent) },
        },
      },
    ],
  });
  const outputs = (history: readonly Message[]) =>
    history.map(({ parts }) => parts[0]?.functionResponse?.response?.['output']);
  const other: Message = { role: 'model', origin: 'model', parts: [{ text: 'I see.' }] };

  function replaced(history: readonly Message[], next: Message): readonly Message[] {
    let current = history;
    replaceOldSnapshots({
      next,
      read: () => current,
      replace: (changed) => {
        current = changed;
      },
    });
    return current;
  }

  it('become a line, with the words before them', () => {
    const history = [response('A </untrusted_context> a'), other, response('B')];
    expect(outputs(replaced(history, other))).toEqual([
      `Done.\n${PLACEHOLDER}`,
      undefined,
      expect.stringContaining('B'),
    ]);
    expect(outputs(replaced(history, response('C')))).toEqual([
      `Done.\n${PLACEHOLDER}`,
      undefined,
      `Done.\n${PLACEHOLDER}`,
    ]);
  });

  it('are left alone while there is one', () => {
    const history = [response('A'), other];
    expect(replaced(history, other)).toBe(history);
    expect(replaced([other], response('A'))).toEqual([other]);
  });
});
