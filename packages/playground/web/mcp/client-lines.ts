import type { McpCommand } from '../../src/server/api.js';

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

/** For a server that each client starts for itself, from this checkout. */
export function linesOfCommand({ command, args }: McpCommand): ClientLines[] {
  const typed = [command, ...args].map(quoted).join(' ');
  const server = { command, args };
  return [
    { client: 'Claude Code', where: 'in a terminal', text: `claude mcp add browser -- ${typed}` },
    { client: 'Codex', where: 'in a terminal', text: `codex mcp add browser -- ${typed}` },
    {
      client: 'VS Code',
      where: 'in a terminal',
      text: `code --add-mcp ${quoted(JSON.stringify({ name: 'browser', ...server }))}`,
    },
    {
      client: 'Claude Desktop, Cursor and most others',
      where: 'in their JSON settings',
      text: json({ mcpServers: { browser: server } }),
    },
    { client: 'Zed', where: 'in settings.json', text: json({ context_servers: { browser: server } }) },
  ];
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
