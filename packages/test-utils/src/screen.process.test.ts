import { describe, expect, it, onTestFinished } from 'vitest';
import { type Screen, startScreen } from './screen.js';

async function bash(script: string, size: { cols?: number; rows?: number } = {}): Promise<Screen> {
  const screen = await startScreen('bash', ['--norc', '-c', script], {
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    ...size,
  });
  onTestFinished(() => screen.kill());
  return screen;
}

describe('a screen', () => {
  it('shows the result of cursor movements, not the bytes written', async () => {
    const screen = await bash(`printf 'old text\\r\\033[Knew\\r\\nsecond \\033[31mred\\033[0m'; sleep 20`);
    await screen.waitFor('second red');
    expect(screen.text()).toBe('new\nsecond red');
    expect(screen.raw()).toContain('old text');
    expect(screen.cursor()).toEqual({ row: 1, column: 10 });
  });

  it('passes keys and text to the program', async () => {
    const screen = await bash(
      `read -p 'name? ' name; stty -icanon -echo; echo "hello $name"; read -rsn3 key; printf '%q\\n' "$key"`,
    );
    await screen.waitFor('name?');
    screen.type('Ada');
    screen.press('Enter');
    await screen.waitFor('hello Ada');
    screen.press('Up');
    await screen.exit;
    expect(screen.text()).toBe(`name? Ada\nhello Ada\n$'\\E[A'`);
  });

  it('delivers Ctrl+C as an interrupt and reports the exit code', async () => {
    const screen = await bash(`trap 'echo caught; exit 7' INT; echo ready; while :; do sleep 0.05; done`);
    await screen.waitFor('ready');
    screen.press('Ctrl+C');
    await expect(screen.exit).resolves.toMatchObject({ exitCode: 7 });
    expect(screen.text()).toContain('caught');
  });

  it('tells the program of a new size', async () => {
    const screen = await bash(`trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done`, {
      cols: 60,
      rows: 10,
    });
    await screen.waitFor('10 60');
    screen.resize(100, 30);
    await screen.waitFor('30 100');
  });

  it('answers questions about the terminal', async () => {
    const screen = await bash(`printf 'abc\\033[6n'; read -rsdR answer; printf '%q' "$answer"`);
    await screen.exit;
    expect(screen.text()).toContain(`$'\\E[1;4'`);
  });

  it('keeps rows that scrolled off', async () => {
    const screen = await bash('seq 1 50', { rows: 5 });
    await screen.exit;
    expect(screen.text().split('\n')[0]).toBe('47');
    expect(screen.history().split('\n')[0]).toBe('1');
  });

  it('fails with the screen when the program ends first', async () => {
    const screen = await bash('echo something else');
    await expect(screen.waitFor('never')).rejects.toThrow(/The program ended .*never.*\nsomething else/s);
  });

  it('refuses a key it does not know', async () => {
    const screen = await bash('sleep 20');
    expect(() => screen.press('Hyper+Q')).toThrow('No key is called Hyper+Q.');
  });
});
