/** Shows an agent's settings. They cannot be changed here yet, and the dialog says so. */
import { Pager } from '../../components/Pager.js';
import { Paragraph } from '../../components/Paragraph.js';
import { cleanLine } from '../../text/clean.js';
import type { DialogProps } from '../dialog.js';

export interface AgentConfigProps {
  name?: string;
  displayName?: string;
}

export function AgentConfigDialog({ props, close }: DialogProps<AgentConfigProps>) {
  const name = props.displayName ?? props.name;
  const about = name ? `The agent "${cleanLine(name)}" cannot be configured: ` : '';
  return (
    <Pager title="Agent configuration" onClose={() => close()}>
      <Paragraph text={`${about}Agents are not available in this version yet.`} />
    </Pager>
  );
}
