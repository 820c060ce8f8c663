/** Signs in or chooses a provider. All steps are in this dialog; the engine is started at the end. */
import { setting } from '@gemini-cli/core';
import { Text } from 'ink';
import { ErrorText } from '../../components/ErrorText.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { useRoom } from '../../components/Room.js';
import { Spinner } from '../../components/Spinner.js';
import { useTheme } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { ApiKeyView } from './ApiKeyView.js';
import { type AuthChoice, authItems } from './choices.js';
import { GoogleView } from './GoogleView.js';
import { ProviderModelsView } from './ProviderModelsView.js';
import { ProviderView } from './ProviderView.js';
import { type AuthPorts, enginePorts } from './ports.js';
import { useSignIn } from './use-sign-in.js';

export interface AuthProps {
  /** Why the dialog was opened, e.g. what is wrong with the saved sign-in. */
  problem?: string;
  ports?: AuthPorts;
}

/** The choice, for the caller that waits for it. */
export type AuthResult = { way: AuthChoice };

const LINKS = 'Terms: https://policies.google.com/terms\nPrivacy: https://policies.google.com/privacy';
const ROOMY = 18;

export function AuthDialog({ services, props, close }: DialogProps<AuthProps, AuthResult>) {
  const { settings } = services;
  const ports = props.ports ?? enginePorts(services);
  const { rows } = useRoom();
  const theme = useTheme();
  const signIn = useSignIn({ services, ports, problem: props.problem, close });
  const { view, offer, problem, isStarting, back } = signIn;

  if (!isStarting && view.name === 'key') {
    const { service } = view;
    return (
      <ApiKeyView
        service={service}
        ports={ports}
        problem={problem}
        onKey={(key) => signIn.takeKey(service, key)}
        onBack={back}
      />
    );
  }
  if (!isStarting && view.name === 'models') {
    const { service } = view;
    return (
      <ProviderModelsView
        service={service}
        ports={ports}
        problem={problem}
        onModel={signIn.takeModel}
        onOtherKey={() => signIn.openService(service, false)}
        onBack={back}
      />
    );
  }
  if (!isStarting && view.name === 'provider')
    return (
      <ProviderView
        settings={settings.merged}
        ports={ports}
        problem={problem}
        onModel={signIn.takeModel}
        onService={signIn.openService}
        onBack={back}
      />
    );
  if (view.name === 'google')
    return <GoogleView services={services} ports={ports} onDone={signIn.googleDone} />;
  const enforced = setting(settings.merged, 'security.auth.enforcedType');
  return (
    <Question
      // Selects the first usable entry once the entries are known.
      key={offer ? 'offered' : 'empty'}
      title="Get started"
      footer={{ primaryAction: 'Enter to select', cancelAction: 'Esc to skip' }}
      items={offer ? authItems({ types: offer.types, enforced, env: ports.env }) : []}
      initial={offer?.preselected}
      isActive={!isStarting && offer !== undefined}
      onSelect={signIn.choose}
      onCancel={() => close({ way: 'skip' })}
    >
      <ErrorText text={problem} />
      <Paragraph text="How would you like to work?" />
      {isStarting && <Spinner label={view.name === 'key' ? 'Checking the key…' : 'Starting…'} />}
      {!offer && <Spinner label="Looking at what can be used here…" />}
      <Paragraph text={LINKS} color={theme.text.secondary} />
      {rows >= ROOMY && <Text> </Text>}
    </Question>
  );
}
