/** `npm run bench`: medians against a floor, as a table and as `.bench/latest.json`. */
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ACP_ROWS } from './acp-rows.js';
import { AGENT_FILE_ROWS } from './agent-file-rows.js';
import { AGENT_ROWS } from './agent-rows.js';
import { COMMAND_ROWS } from './command-rows.js';
import { CONTEXT_ROWS } from './context-rows.js';
import { CONVERT_ROWS } from './convert-rows.js';
import { EXTENSION_ROWS } from './extension-rows.js';
import { HOOK_ROWS } from './hook-rows.js';
import { LONG_SESSION_ROWS } from './long-session-rows.js';
import { LOWERING_ROWS } from './lowering-rows.js';
import { MCP_ROWS } from './mcp-rows.js';
import { MODEL_ROWS } from './model-rows.js';
import { POLICY_ROWS } from './policy-rows.js';
import { judge, table, type Verdict, writeJson } from './report.js';
import type { Group } from './row.js';
import { SANDBOX_ROWS } from './sandbox-rows.js';
import { SCREEN_COST_ROWS } from './screen-cost-rows.js';
import { SCREEN_DIALOG_ROWS } from './screen-dialog-rows.js';
import { SCREEN_START_ROWS } from './screen-start-rows.js';
import { SCREEN_TYPING_ROWS } from './screen-typing-rows.js';
import { SDK_ROWS } from './sdk-rows.js';
import { SESSION_ROWS } from './session-rows.js';
import { SETTINGS_ROWS } from './settings-rows.js';
import { SIZE_ROWS } from './size-rows.js';
import { SKILLS_ROWS } from './skills-rows.js';
import { SNAPSHOT_ROWS } from './snapshot-rows.js';
import { makePlace, subjects } from './subjects.js';
import { TIME_ROWS } from './time-rows.js';

const GROUPS = {
  ...TIME_ROWS,
  ...COMMAND_ROWS,
  ...SIZE_ROWS,
  ...SETTINGS_ROWS,
  ...CONTEXT_ROWS,
  ...LOWERING_ROWS,
  ...MODEL_ROWS,
  ...POLICY_ROWS,
  ...SANDBOX_ROWS,
  ...SNAPSHOT_ROWS,
  ...SESSION_ROWS,
  ...SDK_ROWS,
  ...SKILLS_ROWS,
  ...AGENT_FILE_ROWS,
  ...CONVERT_ROWS,
  ...EXTENSION_ROWS,
  ...AGENT_ROWS,
  ...HOOK_ROWS,
  ...MCP_ROWS,
  ...ACP_ROWS,
  ...SCREEN_START_ROWS,
  ...SCREEN_TYPING_ROWS,
  ...SCREEN_DIALOG_ROWS,
  ...SCREEN_COST_ROWS,
};

/** They take minutes and are measured only when `--only` names them. */
const ON_REQUEST = LONG_SESSION_ROWS;
const ALL_GROUPS: Record<string, Group> = { ...GROUPS, ...ON_REQUEST };

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '9' },
      only: { type: 'string', multiple: true },
      peer: { type: 'string' },
      strict: { type: 'boolean', default: false },
      json: { type: 'string', default: resolve(import.meta.dirname, '../.bench/latest.json') },
    },
  });
  const runs = Math.max(7, Number.parseInt(values.runs, 10) || 9);
  const wanted = values.only?.flatMap((list) => list.split(',')) ?? Object.keys(GROUPS);
  const unknown = wanted.filter((name) => !ALL_GROUPS[name]);
  if (unknown.length > 0) {
    console.error(`No such row: ${unknown.join(', ')}. There are: ${Object.keys(ALL_GROUPS).join(', ')}.`);
    return 1;
  }
  const place = makePlace();
  const verdicts: Verdict[] = [];
  let failures = 0;
  try {
    const bench = {
      subjects: subjects(values.peer),
      place,
      runs,
      log: (line: string) => console.error(line),
    };
    for (const name of wanted) {
      console.error(`${name} …`);
      try {
        for (const row of (await ALL_GROUPS[name]?.(bench)) ?? []) verdicts.push(judge(row));
      } catch (error) {
        failures++;
        console.error(`${name} could not be measured: ${error instanceof Error ? error.message : error}`);
      }
    }
  } finally {
    place.remove();
  }
  const load = loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
  console.log(`Node ${process.version}, ${runs} runs, load ${load}\n`);
  console.log(table(verdicts, { withPeer: values.peer !== undefined }));
  writeJson(values.json, verdicts, { runs, only: values.only, peer: values.peer });
  console.log(`Written to ${join(values.json)}`);
  const misses = verdicts.filter(({ pass, notMeasured }) => !pass && notMeasured === undefined).length;
  return failures > 0 || (values.strict && misses > 0) ? 1 : 0;
}
