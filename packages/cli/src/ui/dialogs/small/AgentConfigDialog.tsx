/** Settings of one agent. Agents are not part of the program yet; that is said plainly. */
import { innerWidth } from '../../primitives/frame-lines.js';
import { Pager } from '../../primitives/Pager.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';

export interface AgentConfigProps {
  name?: string;
  displayName?: string;
}

export function AgentConfigDialog({ services, props, close }: DialogProps<AgentConfigProps>) {
  const width = innerWidth(useLook());
  const name = props.displayName ?? props.name;
  const text = `${name ? `The agent "${cleanLine(name)}" cannot be configured: ` : ''}Agents are not available in this version yet.`;
  return (
    <Pager
      title="Agent configuration"
      lines={wrapText(text, width)}
      height={services.height}
      hint={['Esc to close']}
      onClose={() => close()}
    />
  );
}
