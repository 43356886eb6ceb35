import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** A PostgreSQL server of its own on loopback, with its data in a temporary folder. */
export interface Postgres {
  url: string;
  stop(): Promise<void>;
}

/** Where the server's programs are, once they are installed. */
function programs(): string {
  if (!existsSync(DEBIAN)) {
    if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
      throw new Error(
        `There is no PostgreSQL in ${DEBIAN}, and none can be installed here: that takes root and apt-get.`,
      );
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'], { stdio: 'pipe' });
  }
  const newest = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error(`${DEBIAN} is empty.`);
  return join(DEBIAN, newest, 'bin');
}

export async function startPostgres(): Promise<Postgres> {
  const bin = programs();
  const folder = mkdtempSync(join(tmpdir(), 'browser-agent-postgres-'));
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'));
  const [first = '', ...rest] = [
    ...as,
    join(bin, 'initdb'),
    '-D',
    join(folder, 'data'),
    '-U',
    'postgres',
    '-A',
    'trust',
  ];
  execFileSync(first, rest, { stdio: 'ignore', cwd: folder });
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`, 'fsync=off'];
  const [file = '', ...args] = [
    ...as,
    join(bin, 'postgres'),
    '-D',
    join(folder, 'data'),
    ...settings.flatMap(setting => ['-c', setting]),
  ];
  const server = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let log = '';
  server.stderr.on('data', chunk => {
    log += chunk;
    if (log.includes('ready to accept connections')) resolve();
  });
  server.once('exit', code => reject(new Error(`postgres ended with ${code}: ${log}`)));
  await promise;
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres']).toString());
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise(done => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
