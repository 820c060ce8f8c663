/** The parameters of `read_many_files`. */
import type { FileHost, WorkspaceHost } from '../../workspace/host.js';
import type { FilteringParam } from '../filtering-param.js';

export interface ReadManyFilesParams {
  include: string[];
  exclude?: string[];
  recursive?: boolean;
  useDefaultExcludes?: boolean;
  file_filtering_options?: FilteringParam;
}

export type ReadManyFilesHost = Pick<
  WorkspaceHost,
  'getTargetDir' | 'getEnvironment' | 'getWorkspaceContext' | 'validatePathAccess'
> &
  FileHost;
