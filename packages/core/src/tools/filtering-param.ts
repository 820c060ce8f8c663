/** The `file_filtering_options` parameter. */
import type { JsonSchema } from '../protocol/tool-declaration.js';
import type { FileFilteringOptions, FileHost } from '../workspace/host.js';

export interface FilteringParam {
  respect_git_ignore?: boolean;
  respect_gemini_ignore?: boolean;
}

export const FILTERING_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { respect_git_ignore: { type: 'boolean' }, respect_gemini_ignore: { type: 'boolean' } },
};

export function filteringOptions(
  host: Pick<FileHost, 'getFileFilteringOptions'>,
  param: FilteringParam | undefined,
): FileFilteringOptions {
  const defaults = host.getFileFilteringOptions();
  return {
    ...defaults,
    respectGitIgnore: param?.respect_git_ignore ?? defaults.respectGitIgnore,
    respectGeminiIgnore: param?.respect_gemini_ignore ?? defaults.respectGeminiIgnore,
  };
}
