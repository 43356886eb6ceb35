import type { Handler } from './listener.js';

type Params = Readonly<Record<string, string>>;
export type RouteHandler = (request: Request, params: Params) => Response | Promise<Response>;
export type Routes = Readonly<Record<string, RouteHandler>>;

/** Routes are keyed `METHOD /path/:parameter`; a parameter is one path segment. HEAD is answered like GET. */
export function router(routes: Routes, notFound: RouteHandler): Handler {
  const compiled = Object.entries(routes).map(([key, handler]) => {
    const [method = '', path = ''] = key.split(' ');
    return { method, pattern: toPattern(path), handler };
  });
  return request => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const { pathname } = new URL(request.url);
    for (const route of compiled) {
      const match = route.method === method && route.pattern.exec(pathname);
      if (match) return route.handler(request, { ...match.groups });
    }
    return notFound(request, {});
  };
}

function toPattern(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replace(/:([a-z]+)/gi, '(?<$1>[\\w.-]+)');
  return new RegExp(`^${source}$`);
}
