/** The route of a path in an agent's live view. */
export interface LivePath {
  agentId: string;
  /** `stream`, or a REST route. */
  route: string;
}

export const STREAM_ROUTE = 'stream';

/** Reads `<basePath>/browser/<agentId>/<route>`; undefined for every other path. */
export function livePathOf(pathname: string, basePath: string): LivePath | undefined {
  if (!pathname.startsWith(`${basePath}/browser/`)) return undefined;
  const [agent = '', route = '', ...rest] = pathname.slice(`${basePath}/browser/`.length).split('/');
  const agentId = decoded(agent);
  return agentId && route && rest.length === 0 ? { agentId, route } : undefined;
}

/** `/live`, `live` and `/live/` are one base path. */
export function normalBasePath(basePath: string): string {
  const names = basePath.split('/').filter(name => name !== '');
  return names.map(name => `/${name}`).join('');
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
