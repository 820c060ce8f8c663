/** What one MCP server offers: tools, prompts and resources with their descriptions. */
import { type McpOffer, type McpServerRow, signInText, statusText } from '../../../output/mcp-servers.js';
import { Pager } from '../../components/Pager.js';
import { Paragraph } from '../../components/Paragraph.js';
import { cleanLine } from '../../text/clean.js';
import { useTheme } from '../../use-look.js';

export function ServerPage({ row, onClose }: { row: McpServerRow; onClose(): void }) {
  const theme = useTheme();
  const facts = [`${row.target} (${row.transport})`, row.description, row.reason, signInText(row)];
  return (
    <Pager
      title={`MCP server ${cleanLine(row.name)}`}
      note={statusText(row)}
      onClose={onClose}
      footer={{ cancelAction: 'Esc to go back' }}
    >
      <Paragraph
        text={facts
          .filter((fact) => fact !== undefined && fact !== '')
          .map((fact) => cleanLine(fact ?? ''))
          .join('\n')}
        color={theme.text.secondary}
      />
      <Offers title="Tools" all={row.tools} />
      <Offers title="Prompts" all={row.prompts} prefix="/" />
      <Offers title="Resources" all={row.resources} />
    </Pager>
  );
}

function Offers({ title, all, prefix = '' }: { title: string; all: readonly McpOffer[]; prefix?: string }) {
  const theme = useTheme();
  if (all.length === 0) return null;
  const lines = all.map(({ name, description = '' }) =>
    cleanLine(`- ${prefix}${name}${description ? `: ${description}` : ''}`),
  );
  return (
    <>
      <Paragraph text={`${title} (${all.length})`} color={theme.text.primary} bold />
      <Paragraph text={lines.join('\n')} />
    </>
  );
}
