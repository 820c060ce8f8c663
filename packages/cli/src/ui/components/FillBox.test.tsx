import { Text } from 'ink';
import { expect, it } from 'vitest';
import { renderWithProviders } from '../testing/render-with-providers.test-helper.js';
import { FillBox } from './FillBox.js';
import { ToggleList } from './ToggleList.js';

const toggles = Array.from({ length: 20 }, (_, at) => ({ label: `entry ${at + 1}`, isOn: false }));

it('gives children the rows that head and foot do not take, also when those grow', async () => {
  const box = (foot: string) => (
    <FillBox head={<Text>above</Text>} foot={<Text>{foot}</Text>}>
      <ToggleList toggles={toggles} index={0} />
    </FillBox>
  );
  const { lastFrame, rerender, settle, unmount } = await renderWithProviders(box('below'), { height: 6 });
  expect(lastFrame().split('\n')).toEqual([
    'above',
    '● [ ] entry 1',
    '  [ ] entry 2',
    '  [ ] entry 3',
    '▼ 17 more',
    'below',
  ]);
  rerender(box('below\nand more'));
  await settle();
  expect(lastFrame().split('\n').slice(2)).toEqual(['  [ ] entry 2', '▼ 18 more', 'below', 'and more']);
  unmount();
});
