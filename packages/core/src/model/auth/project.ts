/** The Google Cloud project that is billed. */
import { FatalAuthenticationError } from '../../base/errors.js';

/** Letters, digits, hyphens; older ones have a domain (`example.com:name`). It becomes part of a URL. */
const PROJECT_ID = /^[a-z0-9][a-z0-9.:-]*$/i;

export function projectFromEnvironment(env: NodeJS.ProcessEnv): string | undefined {
  const name = ['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_PROJECT_ID'].find((variable) => env[variable]?.trim());
  const project = name && env[name]?.trim();
  if (!project) return undefined;
  if (/^\d+$/.test(project)) {
    throw new FatalAuthenticationError(
      `${name} is "${project}", which is a project number. The project id is needed, for example "my-project-123"; ` +
        '"gcloud projects list" shows both.',
    );
  }
  if (!PROJECT_ID.test(project)) {
    throw new FatalAuthenticationError(`${name} is "${project}", which is not a project id.`);
  }
  return project;
}
