/** What a person pastes, and where. */
export interface ClientLines {
  client: string;
  where: string;
  text: string;
}

const json = (value: object) => JSON.stringify(value, null, 2);

/** For the server at this address, which is up as long as the playground is. */
export function linesOfAddress(url: string): ClientLines[] {
  return [
    { client: 'Claude Code', where: 'in a terminal', text: `claude mcp add --transport http browser ${url}` },
    { client: 'Codex', where: 'in a terminal', text: `codex mcp add browser --url ${url}` },
    {
      client: 'VS Code',
      where: 'in a terminal',
      text: `code --add-mcp '${JSON.stringify({ name: 'browser', type: 'http', url })}'`,
    },
    { client: 'Cursor', where: 'in ~/.cursor/mcp.json', text: json({ mcpServers: { browser: { url } } }) },
    { client: 'Zed', where: 'in settings.json', text: json({ context_servers: { browser: { url } } }) },
  ];
}

const command = { command: 'npx', args: ['-y', '@browser-toolset/mcp'] };

/** For a server that each client starts for itself. */
export const LINES_OF_COMMAND: readonly ClientLines[] = [
  { client: 'Claude Code', where: 'in a terminal', text: 'claude mcp add browser -- npx -y @browser-toolset/mcp' },
  { client: 'Codex', where: 'in a terminal', text: 'codex mcp add browser -- npx -y @browser-toolset/mcp' },
  {
    client: 'VS Code',
    where: 'in a terminal',
    text: `code --add-mcp '${JSON.stringify({ name: 'browser', ...command })}'`,
  },
  {
    client: 'Claude Desktop, Cursor and most others',
    where: 'in their JSON settings',
    text: json({ mcpServers: { browser: command } }),
  },
  { client: 'Zed', where: 'in settings.json', text: json({ context_servers: { browser: command } }) },
];
