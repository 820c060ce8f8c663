/** Files and folders with secrets: one list for every sandbox on every platform. */

/** Relative to the home directory. */
export const HOME_SECRETS = `
  .ssh .gnupg .gemini .pki .age .config/age .config/sops/age
  .aws .azure .kube .docker .config/containers/auth.json .config/gcloud .boto .s3cfg .mc/config.json .minio
  .oci .bluemix .config/hcloud .config/doctl .config/linode-cli .config/scw .fly .config/heroku .config/netlify
  .config/vercel .local/share/com.vercel.cli .wrangler .config/.wrangler .databricks .databrickscfg .snowflake
  .terraform.d/credentials.tfrc.json .terraformrc .pulumi/credentials.json .vault .vault-token .config/rclone
  .config/op .op .lastpass .config/Bitwarden .config/bitwarden-cli .password-store .local/share/keyrings
  .local/share/kwalletd .config/keepassxc
  .netrc .npmrc .yarnrc.yml .pypirc .config/pypoetry/auth.toml .gem/credentials .bundle/config
  .cargo/credentials .cargo/credentials.toml .m2/settings.xml .m2/settings-security.xml
  .gradle/gradle.properties .composer/auth.json .config/composer/auth.json .nuget/NuGet .sbt/.credentials
  .ivy2/.credentials .hex
  .git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli .config/github-copilot
  .huggingface .cache/huggingface/token .cache/huggingface/stored_tokens .kaggle .config/kaggle .config/openai
  .anthropic .claude .codex .config/wandb
  .pgpass .my.cnf .mylogin.cnf .mongorc.js .dbshell .sqlite_history .psql_history .mysql_history .rediscli_history
  .bash_history .zsh_history .local/share/fish/fish_history .python_history .node_repl_history .irb_history
  .lesshst .viminfo
  .mozilla .thunderbird .config/chromium .config/google-chrome .config/BraveSoftware .config/microsoft-edge
  .config/Slack .config/discord .config/Signal
  .ICEauthority .Xauthority .msmtprc .fetchmailrc .mutt .config/neomutt .davfs2/secrets .smbcredentials
`
  .trim()
  .split(/\s+/)
  // Its name contains a space.
  .concat('.config/Bitwarden CLI');

/** Also relative to the home directory, on macOS. */
export const MAC_HOME_SECRETS = [
  'Library/Keychains',
  'Library/Cookies',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
  'Library/Application Support/Bitwarden CLI',
  'Library/Containers/com.apple.Safari',
];

/** System files that root can read even without capabilities, and secrets of services. */
export const SYSTEM_SECRETS = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/ssl/private',
  ...['rsa', 'dsa', 'ecdsa', 'ed25519'].map((kind) => `/etc/ssh/ssh_host_${kind}_key`),
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/run/secrets',
  '/run/credentials',
  '/var/run/secrets',
];
