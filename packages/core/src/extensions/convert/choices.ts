/** What the user chose for an imported plugin, as it is recorded with the extension. Wrong types do not count. */
import { isObject, objectOf } from '../../base/objects.js';
import type { ConvertOptions } from './types.js';

export interface ConversionChoices {
  /** One of a marketplace. */
  plugin?: string;
  options: ConvertOptions;
}

export function choicesOf(recorded: unknown): ConversionChoices {
  const { plugin, options } = objectOf(recorded);
  const { name, context, excludeSkills, hooks, modelMap, inheritTools, allFiles, force } = objectOf(options);
  const isText = (value: unknown) => typeof value === 'string';
  return {
    ...(typeof plugin === 'string' && { plugin }),
    options: {
      ...(typeof name === 'string' && { name }),
      ...(typeof context === 'string' && { context }),
      ...(Array.isArray(excludeSkills) && { excludeSkills: excludeSkills.filter(isText) }),
      ...(hooks === false && { hooks }),
      ...(isObject(modelMap) && {
        modelMap: Object.fromEntries(
          Object.entries(modelMap).filter((pair): pair is [string, string] => isText(pair[1])),
        ),
      }),
      ...(inheritTools === true && { inheritTools }),
      ...(allFiles === true && { allFiles }),
      ...(force === true && { force }),
    },
  };
}
