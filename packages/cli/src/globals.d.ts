/** Version of the program, set by the build. */
declare const __VERSION__: string;

/** The commit it was built from, set by the build; `unknown` outside a git repository. */
declare const __COMMIT__: string;

/** `config.sandboxImageUri` of the root package.json, set by the build. */
declare const __SANDBOX_IMAGE__: string;

/** Names one build of the engine; its compiled code is kept under it. */
declare const __BUILD_ID__: string;
