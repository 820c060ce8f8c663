/** Tools that act on elements: click, hover, drag, fill, keys, files, dialogs. */
import { ToolCallError, ToolErrorType } from '../../../tools/tool-error.js';
import { ACTION_TIMEOUT_MS, type BrowserSession } from '../browser-session.js';
import { type BrowserScene, type BrowserToolEntry, browserTool } from '../browser-tool.js';
import type { BrowserResponse } from '../response.js';

const TIMEOUT = { timeout: ACTION_TIMEOUT_MS };
const uid = { type: 'string' };
const includeSnapshot = { type: 'boolean' };
/** Keys that enter no text; Control+V and Shift+Insert paste. */
const NO_TEXT =
  /^(?:(?:Control|Alt|Meta|ControlOrMeta|Shift)\+)*(?:Enter|Tab|Escape|Backspace|Delete|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right)|F\d{1,2}|Control|Shift|Alt|Meta)$|^(?:(?:Control|Alt|Meta|ControlOrMeta)\+)(?:Shift\+)?[^vV]$/;

interface OnElement {
  uid: string;
  includeSnapshot?: boolean;
}

const done = (
  text: string,
  { includeSnapshot: snapshot }: { includeSnapshot?: boolean },
): BrowserResponse => ({
  text,
  ...(snapshot && { snapshot }),
});

export const INPUT_TOOLS: readonly BrowserToolEntry[] = [
  browserTool<OnElement & { dblClick?: boolean }>({
    name: 'click',
    displayName: 'Click',
    schema: object({ uid, dblClick: { type: 'boolean' }, includeSnapshot }, ['uid']),
    describe: (params, session) =>
      `${params.dblClick ? 'Double-click' : 'Click'} ${session.labelOf(params.uid)}`,
    run: async (params, { session }) => {
      const element = session.element(params.uid);
      await session.act(() => (params.dblClick ? element.dblclick(TIMEOUT) : element.click(TIMEOUT)));
      return done(`Successfully ${params.dblClick ? 'double clicked' : 'clicked'} on the element`, params);
    },
  }),
  browserTool<OnElement>({
    name: 'hover',
    displayName: 'Hover',
    schema: object({ uid, includeSnapshot }, ['uid']),
    describe: (params, session) => `Hover over ${session.labelOf(params.uid)}`,
    run: async (params, { session }) => {
      const element = session.element(params.uid);
      await session.act(() => element.hover(TIMEOUT));
      return done('Successfully hovered over the element', params);
    },
  }),
  browserTool<{ from_uid: string; to_uid: string; includeSnapshot?: boolean }>({
    name: 'drag',
    displayName: 'Drag',
    schema: object({ from_uid: uid, to_uid: uid, includeSnapshot }, ['from_uid', 'to_uid']),
    describe: (params, session) =>
      `Drag ${session.labelOf(params.from_uid)} onto ${session.labelOf(params.to_uid)}`,
    run: async (params, { session }) => {
      const [from, to] = [session.element(params.from_uid), session.element(params.to_uid)];
      await session.act(() => from.dragTo(to, TIMEOUT));
      return done('Successfully dragged an element', params);
    },
  }),
  browserTool<OnElement & { value: string }>({
    name: 'fill',
    displayName: 'Fill',
    schema: object({ uid, value: { type: 'string' }, includeSnapshot }, ['uid', 'value']),
    describe: (params, session) => `Fill ${filling(params, session)}`,
    alwaysAsks: () => true,
    run: async (params, scene) => {
      await fill(params, scene);
      return done('Successfully filled out the element', params);
    },
  }),
  browserTool<{ elements: { uid: string; value: string }[]; includeSnapshot?: boolean }>({
    name: 'fill_form',
    displayName: 'Fill Form',
    schema: object(
      {
        elements: {
          type: 'array',
          items: object({ uid, value: { type: 'string' } }, ['uid', 'value']),
        },
        includeSnapshot,
      },
      ['elements'],
    ),
    describe: ({ elements }, session) =>
      `Fill in a form: ${elements.map((element) => filling(element, session)).join('; ')}`,
    alwaysAsks: () => true,
    run: async (params, scene) => {
      for (const element of params.elements) {
        await fill(element, scene);
        if (scene.session.dialog) break;
      }
      return done('Successfully filled out the form', params);
    },
  }),
  browserTool<{ text: string; submitKey?: string }>({
    name: 'type_text',
    displayName: 'Type Text',
    schema: object({ text: { type: 'string' }, submitKey: { type: 'string' } }, ['text']),
    describe: ({ text, submitKey }) =>
      `Type ${JSON.stringify(text)}${submitKey ? `, then press ${submitKey}` : ''}`,
    // It fills in whatever has the focus.
    alwaysAsks: () => true,
    run: async ({ text, submitKey }, { session }) => {
      await session.act(async ({ page }) => {
        await page.keyboard.type(text);
        if (submitKey) await page.keyboard.press(submitKey);
      });
      return { text: `Typed text "${text}"${submitKey ? ` and pressed ${submitKey}` : ''}` };
    },
  }),
  browserTool<{ key: string; includeSnapshot?: boolean }>({
    name: 'press_key',
    displayName: 'Press Key',
    schema: object({ key: { type: 'string' }, includeSnapshot }, ['key']),
    describe: ({ key }) => `Press ${key}`,
    alwaysAsks: ({ key }) => !NO_TEXT.test(key),
    run: async (params, { session }) => {
      await session.act(({ page }) => page.keyboard.press(params.key));
      return done(`Successfully pressed key: ${params.key}`, params);
    },
  }),
  browserTool<OnElement & { filePath: string }>({
    name: 'upload_file',
    displayName: 'Upload File',
    schema: object({ uid, filePath: { type: 'string' }, includeSnapshot }, ['uid', 'filePath']),
    describe: (params, session) => `Upload ${params.filePath} through ${session.labelOf(params.uid)}`,
    alwaysAsks: (_, host) => host.settings().confirmSensitiveActions,
    run: async (params, { session, host }) => {
      if (host.settings().blockFileUploads)
        throw new ToolCallError(
          ToolErrorType.PERMISSION_DENIED,
          'File uploads are disabled by agents.browser.blockFileUploads.',
        );
      const path = host.uploadPath(params.filePath);
      await upload(params.uid, path, session);
      return done(`File uploaded from ${params.filePath}.`, params);
    },
  }),
  browserTool<{ action: 'accept' | 'dismiss'; promptText?: string }>({
    name: 'handle_dialog',
    displayName: 'Handle Dialog',
    worksWithDialog: true,
    schema: object(
      { action: { type: 'string', enum: ['accept', 'dismiss'] }, promptText: { type: 'string' } },
      ['action'],
    ),
    describe: ({ action, promptText }) =>
      `${action === 'accept' ? 'Accept' : 'Dismiss'} the dialog${promptText ? ` with ${JSON.stringify(promptText)}` : ''}`,
    alwaysAsks: ({ promptText }) => Boolean(promptText),
    run: async ({ action, promptText }, { session }) => ({
      text: await session.answerDialog(action, promptText),
      pages: true,
    }),
  }),
];

export function object(properties: Record<string, unknown>, required: readonly string[] = []) {
  return { type: 'object', properties, ...(required.length > 0 && { required: [...required] }) } as never;
}

function filling({ uid: id, value }: { uid: string; value: string }, session: BrowserSession): string {
  return `${session.labelOf(id)} with ${JSON.stringify(value)}`;
}

async function fill(
  { uid: id, value }: { uid: string; value: string },
  { session }: Pick<BrowserScene, 'session'>,
): Promise<void> {
  const element = session.element(id);
  const kind = await element.evaluate(
    (node) => {
      const { tagName, type } = node as unknown as { tagName: string; type?: string };
      return tagName === 'SELECT' ? 'select' : type === 'checkbox' || type === 'radio' ? 'check' : 'text';
    },
    undefined,
    TIMEOUT,
  );
  await session.act(() => {
    if (kind === 'select') return element.selectOption(value, TIMEOUT);
    if (kind === 'check') return element.setChecked(/^(true|on|yes|1|checked)$/i.test(value), TIMEOUT);
    return element.fill(value, TIMEOUT);
  });
}

/** Into a file input, or through the file chooser that an element opens. */
async function upload(id: string, path: string, session: BrowserSession): Promise<void> {
  const element = session.element(id);
  const isInput = await element.evaluate(
    (node) => (node as unknown as { tagName: string; type?: string }).type === 'file',
    undefined,
    TIMEOUT,
  );
  await session.act(async ({ page }) => {
    if (isInput) return element.setInputFiles(path, TIMEOUT);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser', TIMEOUT), element.click(TIMEOUT)]);
    return chooser.setFiles(path, TIMEOUT);
  });
}
