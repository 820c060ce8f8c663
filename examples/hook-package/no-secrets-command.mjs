// For settings.json: { "type": "command", "command": "node no-secrets-command.mjs" }
import { noSecrets } from './hooks.mjs';

await noSecrets.runAsCommand();
