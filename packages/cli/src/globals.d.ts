/** Version of the program, set by the build. */
declare const __VERSION__: string;

/** Names one build of the engine; its compiled code is kept under it. */
declare const __BUILD_ID__: string;
