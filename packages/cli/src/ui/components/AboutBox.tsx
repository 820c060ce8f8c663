/** The program's version and environment. */
import { aboutLines } from '../history/about.js';
import { useLook } from '../use-look.js';
import { Lines } from './Lines.js';

export interface AboutBoxProps {
  cliVersion: string;
  gitCommit?: string;
  modelVersion: string;
  sandboxEnv: string;
  osVersion: string;
  authMethod?: string;
  tier?: string;
  account?: string;
  ideClient?: string;
}

export function AboutBox(props: AboutBoxProps) {
  const look = useLook();
  const { gitCommit, tier, account, ideClient } = props;
  const about = {
    version: props.cliVersion,
    model: props.modelVersion,
    sandbox: props.sandboxEnv,
    os: props.osVersion,
    auth: props.authMethod ?? '',
    ...(gitCommit === undefined ? {} : { commit: gitCommit }),
    ...(tier === undefined ? {} : { tier }),
    ...(account === undefined ? {} : { account }),
    ...(ideClient === undefined ? {} : { ide: ideClient }),
  };
  return <Lines lines={aboutLines(about, look)} />;
}
