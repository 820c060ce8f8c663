// `npm run build:sandbox`: makes the sandbox image from the Dockerfile, with docker or podman (GEMINI_SANDBOX chooses).
import { buildImage, ENGINES, findEngine } from './sandbox-image.mjs';

const wanted = ENGINES.filter((name) => name === process.env.GEMINI_SANDBOX);
const found = findEngine(wanted.length > 0 ? wanted : ENGINES);
if (found.program) process.exit(buildImage(found.program));
console.error(`The sandbox image was not built.\n${found.problems.join('\n')}`);
process.exit(1);
