/** Asks the user for the values that an extension needs. */
import type { SettingPrompt } from '../install/ports.js';
import type { ExtensionSetting } from '../types.js';

export type PromptSetting = (prompt: SettingPrompt) => Promise<string | undefined>;

/** Secrets first. @returns values by variable; what the user leaves empty is not among them */
export async function askValues(
  settings: readonly ExtensionSetting[],
  prompt: PromptSetting,
): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  const ordered = [...settings].sort((a, b) => Number(b.sensitive ?? false) - Number(a.sensitive ?? false));
  for (const setting of ordered) {
    const answer = await askValue(setting, prompt);
    if (answer !== undefined) values.set(setting.envVar, answer);
  }
  return values;
}

/** @returns undefined: no value */
export async function askValue(
  setting: ExtensionSetting,
  prompt: PromptSetting,
  current?: string,
): Promise<string | undefined> {
  for (let problem: string | undefined; ; ) {
    const answer = await prompt({
      setting,
      ...(current !== undefined && { current }),
      ...(problem !== undefined && { problem }),
    });
    // The input has ended: asking again would never stop.
    if (answer === undefined) return undefined;
    if (answer === '' && (!setting.required || setting.default !== undefined)) return undefined;
    const checked = checkValue(setting, answer);
    if ('value' in checked) return checked.value;
    problem = checked.problem;
  }
}

function checkValue(
  { type, options = [], required }: ExtensionSetting,
  answer: string,
): { value: string } | { problem: string } {
  if (answer === '' && required) return { problem: 'A value is needed.' };
  if (/[\r\n\0]/.test(answer)) return { problem: 'The value must be one line.' };
  if (type === 'number' && (answer.trim() === '' || !Number.isFinite(Number(answer))))
    return { problem: 'Enter a number.' };
  if (type === 'boolean') {
    if (/^(?:true|yes|y|1|on)$/i.test(answer.trim())) return { value: 'true' };
    if (/^(?:false|no|n|0|off)$/i.test(answer.trim())) return { value: 'false' };
    return { problem: 'Enter true or false.' };
  }
  if (options.length > 0 && (type === 'choice' || type === undefined) && !options.includes(answer))
    return { problem: `Enter one of: ${options.join(', ')}.` };
  return { value: answer };
}
