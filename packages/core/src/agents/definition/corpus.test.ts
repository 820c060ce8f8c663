import { describe, expect, it } from 'vitest';
import { CORPUS } from './corpus.test-helper.js';
import { fixAgentText } from './fix/fix-agent-text.js';
import { parseAgentFile, problemText } from './parse-agent-file.js';

describe('agent files in the shapes seen in public repositories', () => {
  it.each(CORPUS.map((entry) => [entry.name, entry] as const))(
    '%s loads or says its cure, and loads after a fix',
    async (name, { text, says, fixable = true, gives }) => {
      const source = { kind: 'project' as const, file: `/p/.gemini/agents/${name}.md` };
      const parsed = await parseAgentFile(text, source);
      const shown = parsed.problem ? problemText(parsed.problem) : '';
      expect(parsed.problem === undefined, shown).toBe(says === undefined);
      for (const part of says ?? []) expect(shown).toContain(part);
      if (parsed.problem) {
        expect(shown).toContain('gemini agents validate');
        for (const { cure } of parsed.problem.issues) expect(cure).toMatch(/\w+.*\./);
      }

      const fix = await fixAgentText(text, source.file);
      const isFine = !parsed.problem && parsed.warnings.length === 0;
      expect(fix.status).toBe(isFine ? 'valid' : fixable ? 'fixed' : 'not_fixable');
      const fixed = fix.status === 'fixed' ? fix.text : text;
      if (fix.status === 'not_fixable') return;
      const [definition] = (await parseAgentFile(fixed, source)).definitions;
      expect(definition).toMatchObject(gives ?? { kind: 'local' });
      expect(await fixAgentText(fixed, source.file)).toEqual({ status: 'valid' });
    },
  );

  it('has at least 30 files', () => {
    expect(CORPUS.length).toBeGreaterThanOrEqual(30);
  });
});

describe('a fix', () => {
  const fixed = async (text: string) => {
    const fix = await fixAgentText(text, '/x/a.md');
    if (fix.status !== 'fixed') throw new Error(fix.status);
    return fix;
  };

  it('never gives an agent more tools than its file did', async () => {
    const { text, losses } = await fixed('---\nname: a\ndescription: D\ntools: NotebookEdit\n---\nX');
    expect(text).toContain('tools: []');
    expect(losses.join()).toContain('The agent has no tools');
  });

  it('gives no tools where the list of tools is not part of the header', async () => {
    const { text, losses } = await fixed('---\nname: a\ndescription: D\nNot a field\ntools: Read\n\nX');
    expect(text).toContain('tools: []');
    expect(losses.join()).toContain('outside the header');
  });

  it('keeps the card of a remote agent that does not name its kind', async () => {
    for (const card of ['agent_card_json: \'{"name": "x"}\'', 'agentCardUrl: https://a.example']) {
      const text = `---\nname: a\ndescription: D\n${card}\n---\n`;
      const { problem } = await parseAgentFile(text, { kind: 'user', file: '/x/a.md' });
      expect(problem && problemText(problem)).toContain('Add a line "kind: remote".');
      expect((await fixed(text)).text).toMatch(/kind: remote[\s\S]*agent_card_(?:json|url): /);
    }
  });

  it('says that limits on arguments are lost', async () => {
    const { losses } = await fixed('---\nname: a\ndescription: D\ntools: Bash(git:*)\n---\nX');
    expect(losses).toEqual([
      'Bash(git:*) is run_shell_command now, for any arguments: limit it with policy rules.',
    ]);
  });

  it('gives an agent with only forbidden tools all mapped tools without them', async () => {
    const { text } = await fixed('---\nname: a\ndescription: D\ndisallowedTools: Bash, Write\n---\nX');
    expect(text).toContain('- read_file');
    expect(text).not.toMatch(/run_shell_command|write_file|invoke_agent/);
  });

  it('uses the names of this program in the text, but not in code blocks', async () => {
    const body =
      'Use `Bash` and @agent-helper. Read CLAUDE.md and .claude/agents/x.md, not .claude/a.local.md.\n' +
      'Task reviewer(look at it)\n\n```sh\necho `Bash` CLAUDE.md .claude/skills/x\n```\n';
    const { text } = await fixed(`---\nname: a\ndescription: D\ncolor: red\n---\n${body}`);
    expect(text).toContain(
      'Use `run_shell_command` and @helper. Read GEMINI.md and .gemini/agents/x.md, not .claude/a.local.md.',
    );
    expect(text).toContain('@reviewer look at it');
    expect(text).toContain('echo `Bash` CLAUDE.md .gemini/skills/x');
  });

  it('keeps the text of a file that is not for Claude Code byte for byte', async () => {
    const body = '\n  Use `Bash`; CLAUDE.md.\n\n\nEnd';
    const { text } = await fixed(`---\nname: A\ndescription: D\n---\n${body}`);
    expect(text.endsWith(`---\n${body}`)).toBe(true);
  });
});
