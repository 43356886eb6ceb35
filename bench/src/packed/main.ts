// What the packed packages cost whoever installs them: `npm i` of the toolset, and `npx` of the MCP server beside Playwright's.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { save } from '../report/save.ts';
import { barTable, toText } from '../report/table.ts';
import { measureInstall } from './install.ts';
import { measureNpx } from './npx.ts';
import { packedBars, packedTables } from './report.ts';
import { checkout, tarballs } from './tarballs.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const { status } = spawnSync(process.execPath, ['scripts/pack.mjs'], { cwd: checkout, stdio: 'inherit' });
if (status !== 0) throw new Error('The packages could not be packed.');

const packed = { install: measureInstall(tarballs()), npx: await measureNpx(tarballs(), Number(values.rounds)) };
save({ date: new Date().toISOString(), cores: cpus().length, node: process.versions.node, packed }, 'packed');
console.log([...packedTables(packed), barTable(packedBars(packed))].map(toText).join('\n'));
