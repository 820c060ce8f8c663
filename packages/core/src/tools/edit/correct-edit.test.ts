import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UtilityModel } from '../../model/utility/utility-model.js';
import { PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import { ToolErrorType } from '../tool-error.js';
import { EditTool, type EditToolParams } from './edit.js';

const { signal } = new AbortController();
const CONTENT = 'export function total(items) {\n  return items.length;\n}\n';
const WRONG = {
  file_path: 'a.ts',
  instruction: 'count the prices',
  old_string: 'return sum(items)',
  new_string: 'return price(items)',
};
const RIGHT = {
  search: 'return items.length',
  replace: 'return price(items)',
  noChangesRequired: false,
  explanation: 'The line reads otherwise.',
};

/** A model that answers each question with the next of `answers`. */
function lab(answers: (object | Error)[], { enabled = true, name = 'a.ts', content = CONTENT } = {}) {
  const folder = tempDir('correct-');
  onTestFinished(() => folder.cleanup());
  const path = join(folder.path, name);
  writeFileSync(path, content);
  const asked: string[] = [];
  const utility: Pick<UtilityModel, 'generateJson'> = {
    generateJson: async ({ alias, messages }) => {
      asked.push(`${alias}: ${messages[0]?.parts[0]?.text}`);
      const answer = answers.shift() ?? new Error('no answer is left');
      if (answer instanceof Error) throw answer;
      return { ...answer };
    },
  };
  const host = {
    ...makeHost(folder.path),
    isEditCorrectionEnabled: () => enabled,
    // The other kind of call is not used here.
    getUtilityModel: () => utility as UtilityModel,
    getModel: () => 'gemini-2.5-pro',
    maskForModel: (text: string) => text.replaceAll('hunter2', '***'),
  };
  const tool = new EditTool(host, makeBus(PolicyDecision.ASK_USER));
  const build = (params: Partial<EditToolParams> = {}) =>
    tool.build({ ...WRONG, file_path: name, ...params });
  return {
    asked,
    build,
    put: (text: string) => writeFileSync(path, text),
    text: () => readFileSync(path, 'utf8'),
    edit: (params: Partial<EditToolParams> = {}) => build(params).execute({ abortSignal: signal }),
  };
}

describe('the correction of an edit by a model', () => {
  it('is off by default: the edit fails and no model is asked', async () => {
    const { edit, asked, text } = lab([RIGHT], { enabled: false });
    expect((await edit()).error?.type).toBe(ToolErrorType.EDIT_NO_OCCURRENCE_FOUND);
    expect(asked).toEqual([]);
    expect(text()).toBe(CONTENT);
  });

  it('applies the strings that the model gives, and says so', async () => {
    const { edit, asked, text } = lab([RIGHT]);
    const { llmContent, error } = await edit();
    expect(error).toBeUndefined();
    expect(llmContent).toContain('corrected by a model: The line reads otherwise.');
    expect(text()).toContain('return price(items)');
    expect(asked).toHaveLength(1);
    for (const part of ['llm-edit-fixer', 'count the prices', 'return sum(items)', CONTENT, '0 occurrences'])
      expect(asked[0]).toContain(part);
  });

  it('shows the corrected change to the user, and carries out exactly that', async () => {
    const { build, asked, text } = lab([RIGHT]);
    const invocation = build();
    const details = await invocation.shouldConfirmExecute(signal);
    if (details === false || details.type !== 'edit') throw new Error('The user was not asked.');
    expect(details.newContent).toContain('return price(items)');
    expect(invocation.params).toMatchObject(WRONG);
    await details.onConfirm(ToolConfirmationOutcome.ProceedOnce);
    const { llmContent } = await invocation.execute({ abortSignal: signal });
    expect(llmContent).toContain('corrected by a model');
    expect(asked).toHaveLength(1);
    expect(text()).toBe(details.newContent);
  });

  it('is not carried out when the file changed after the user saw it', async () => {
    const { build, put, text } = lab([RIGHT]);
    const invocation = build();
    const details = await invocation.shouldConfirmExecute(signal);
    if (!details) throw new Error('The user was not asked.');
    await details.onConfirm(ToolConfirmationOutcome.ProceedOnce);
    put(`// new\n${CONTENT}`);
    const { error } = await invocation.execute({ abortSignal: signal });
    expect(error?.message).toContain('changed after the user was asked');
    expect(text()).toBe(`// new\n${CONTENT}`);
  });

  it('is not asked for after a question that could not be shown, which the user has not approved', async () => {
    const { build, asked, text } = lab([new Error('busy'), RIGHT]);
    const invocation = build();
    expect(await invocation.shouldConfirmExecute(signal)).toBe(false);
    const { error } = await invocation.execute({ abortSignal: signal });
    expect(error?.type).toBe(ToolErrorType.EDIT_NO_OCCURRENCE_FOUND);
    expect(asked).toHaveLength(1);
    expect(text()).toBe(CONTENT);
  });

  it('reports that no change is needed', async () => {
    const { edit } = lab([{ ...RIGHT, noChangesRequired: true, explanation: 'It is done already.' }]);
    const { error } = await edit();
    expect(error?.type).toBe(ToolErrorType.EDIT_NO_CHANGE_LLM_JUDGEMENT);
    expect(error?.message).toContain('It is done already.');
  });

  it.each([
    ['text that is not in the file', { ...RIGHT, search: 'nowhere at all, my friend' }],
    ['the same text twice', { ...RIGHT, replace: RIGHT.search }],
    ['a placeholder', { ...RIGHT, replace: '// rest of code ...' }],
    ['an empty search', { ...RIGHT, search: '' }],
    ['an error', new Error('busy')],
  ])('leaves the first error standing when the model gives %s', async (_what, answer) => {
    const { edit, text } = lab([answer]);
    expect((await edit()).error?.type).toBe(ToolErrorType.EDIT_NO_OCCURRENCE_FOUND);
    expect(text()).toBe(CONTENT);
  });

  it('asks once for the same edit of the same file', async () => {
    const { edit, asked, put } = lab([RIGHT]);
    await edit();
    put(CONTENT);
    expect((await edit()).error).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  it.each(['a.json', 'a.ipynb', 'a.jsonc', 'a.JSON5'])('never touches %s', async (name) => {
    const { edit, asked } = lab([RIGHT], { name });
    expect((await edit()).error?.type).toBe(ToolErrorType.EDIT_NO_OCCURRENCE_FOUND);
    expect(asked).toEqual([]);
  });

  it('is not asked for where secrets would have to be redacted', async () => {
    const inFile = lab([RIGHT], { content: `${CONTENT}// hunter2\n` });
    expect((await inFile.edit()).error?.type).toBe(ToolErrorType.EDIT_NO_OCCURRENCE_FOUND);
    const inEdit = lab([RIGHT]);
    await inEdit.edit({ new_string: 'return "hunter2"' });
    expect([...inFile.asked, ...inEdit.asked]).toEqual([]);
  });

  it('ends when the user cancels', async () => {
    const { build } = lab([new Error('cancelled')]);
    const cancelled = new AbortController();
    const running = build().execute({ abortSignal: cancelled.signal });
    cancelled.abort();
    await expect(running).rejects.toThrow();
  });
});
