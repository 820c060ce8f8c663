/** How the program gets to a model. Every step stays in this dialog; the engine is started at the end of it. */
import { setting } from '@gemini-cli/core';
import { useEffect } from 'react';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Question } from '../../primitives/Question.js';
import { useSpinner } from '../../primitives/Spinner.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { ApiKeyView } from './ApiKeyView.js';
import { type AuthChoice, authChoices } from './choices.js';
import { GoogleView } from './GoogleView.js';
import { ProviderView } from './ProviderView.js';
import type { AuthPorts } from './ports.js';
import { enginePorts } from './ports.js';
import { useSignIn } from './use-sign-in.js';

export interface AuthProps {
  /** Why the dialog is open, e.g. what was wrong with the saved sign-in. */
  problem?: string;
  ports?: AuthPorts;
}

/** What was chosen, for those who wait for it. */
export type AuthResult = { way: AuthChoice };

const LINKS = ['Terms: https://policies.google.com/terms', 'Privacy: https://policies.google.com/privacy'];

export function AuthDialog({ services, props, close }: DialogProps<AuthProps, AuthResult>) {
  const look = useLook();
  const { settings, env, height } = services;
  const ports = props.ports ?? enginePorts(settings, env);
  const signIn = useSignIn({ services, ports, problem: props.problem, close });
  const { view, offer } = signIn;
  const spinner = useSpinner(view === 'busy' || !offer);
  const width = innerWidth(look);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is offered does not change while one looks at it
  useEffect(() => void signIn.load(), []);

  if (view === 'key')
    return (
      <ApiKeyView height={height} problem={signIn.problem} onKey={signIn.takeKey} onBack={signIn.back} />
    );
  if (view === 'google')
    return <GoogleView height={height} services={services} ports={ports} onDone={signIn.googleDone} />;
  if (view === 'provider')
    return (
      <ProviderView
        height={height}
        settings={settings.merged}
        ports={ports}
        problem={signIn.problem}
        onModel={signIn.takeModel}
        onBack={signIn.back}
      />
    );
  const error = signIn.problem
    ? wrapText(cleanLine(signIn.problem), width).map((row) =>
        look.paint(row, { color: look.theme.status.error }),
      )
    : [];
  const isBusy = view === 'busy' || !offer;
  const content = [
    ...error,
    ...wrapText('How would you like to work?', width),
    ...(isBusy ? [`${spinner}${offer ? 'Starting…' : 'Looking at what can be used here…'}`] : []),
    ...LINKS.flatMap((link) => wrapText(link, width)).map((row) =>
      look.paint(row, { color: look.theme.text.secondary }),
    ),
    ...(height >= ROOMY ? [''] : []),
  ];
  const enforced = setting(settings.merged, 'security.auth.enforcedType');
  const choices = offer ? authChoices({ types: offer.types, enforced, env: ports.env }) : [];
  return (
    <Question
      // The list is made when it is known what is in it.
      key={offer ? 'offered' : 'empty'}
      title="Get started"
      hint={['Enter to select', 'Esc to skip']}
      content={content}
      choices={choices}
      initial={preselected(choices, offer?.preselected)}
      height={height}
      isActive={!isBusy}
      onSelect={signIn.choose}
      onCancel={() => close({ way: 'skip' })}
    />
  );
}

const ROOMY = 18;

function preselected(
  choices: ReturnType<typeof authChoices>,
  wanted: AuthChoice | undefined,
): AuthChoice | undefined {
  return choices.some(({ value, disabled }) => value === wanted && !disabled) ? wanted : undefined;
}
