import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { root } from '../bootstrap/layout.mjs';
import { manifestIn, publishedPackages } from '../packaging/published.mjs';
import { blocks, dockerfile, guide, instruction } from './docker-guide.mjs';

/** @type {import('node:child_process').ChildProcess | undefined} */
let server;
afterEach(() => void server?.kill('SIGKILL'));

test('the guide shows the very Dockerfile', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/gen-docker.mjs'), '--check']);
  expect(stderr.toString()).toBe('');
  expect(status).toBe(0);
});

test('the image takes each package that it needs out of what is packed', async () => {
  const published = await publishedPackages();
  const copied = instruction('COPY')
    .split(' ')
    .slice(0, -1)
    .map(source => {
      const [start = '', end = ''] = source.split('*');
      const fits = published.filter(({ manifest }) => {
        const tarball = `${manifest.name.slice(1).replace('/', '-')}-${manifest.version}.tgz`;
        return tarball.startsWith(start) && tarball.endsWith(end);
      });
      expect(fits, source).toHaveLength(1);
      return fits[0]?.manifest ?? {};
    });
  const names = copied.map(({ name }) => name);
  const needed = copied.flatMap(({ dependencies = {} }) =>
    Object.keys(dependencies).filter(name => name.startsWith('@browser-toolset/')),
  );
  expect(names).toEqual(expect.arrayContaining(['@browser-toolset/mcp', '@browser-toolset/agent-browser', ...needed]));
});

test('its Node is one that the packages allow', async () => {
  const { engines } = await manifestIn('packages/mcp');
  expect(instruction('FROM')).toMatch(new RegExp(`^node:${engines.node.match(/\d+/)?.[0]}-bookworm-slim$`));
});

test('the guide builds from the Dockerfile and what is packed, and apps from what it builds', async () => {
  const [build = ''] = blocks('sh');
  const { scripts } = await manifestIn('.');
  expect(build).toMatch(/^npm run pack$/m);
  expect(scripts).toHaveProperty('pack');
  const [, tag, file] = /^docker build --pull -t (\S+) -f (\S+) output\/packages$/m.exec(build) ?? [];
  expect(existsSync(join(root, file ?? ''))).toBe(true);
  expect(blocks('dockerfile').at(-1)).toContain(`FROM ${tag}\n`);
});

test('each variable of the image and of the guide is an option', () => {
  const options = readFileSync(join(root, 'docs/reference/mcp-options.md'), 'utf8');
  const variables = new Set((dockerfile + guide).match(/\bBROWSER_TOOLSET_\w+/g));
  expect(variables.size).toBeGreaterThan(3);
  for (const variable of variables) expect(options).toContain(`\`${variable}\``);
});

test('the health check tells whether the command of the image answers, which ends on SIGTERM', async () => {
  const { bin } = await manifestIn('packages/mcp');
  const [command, ...args] = JSON.parse(instruction('CMD'));
  const main = join(root, 'packages/mcp', bin[command]);
  const env = { ...process.env, BROWSER_TOOLSET_HOST: '127.0.0.1', BROWSER_TOOLSET_PORT: '0' };
  const started = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  server = started;
  const ended = once(started, 'exit');
  let port = '';
  for await (const line of createInterface({ input: started.stderr })) {
    [, port = ''] = /http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(line) ?? [];
    if (port !== '') break;
  }
  const [node, ...check] = JSON.parse(instruction('HEALTHCHECK').replace(/^.*? CMD /, ''));
  expect(node).toBe('node');
  const isHealthy = async () => {
    const checks = { env: { ...process.env, BROWSER_TOOLSET_PORT: port } };
    const [code] = await once(spawn(process.execPath, check, checks), 'exit');
    return code === 0;
  };
  expect(await isHealthy()).toBe(true);
  started.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await isHealthy()).toBe(false);
});
