import { spawnSync } from 'node:child_process';

// Every script of the root package.json that CI runs besides the tests; all of them run, then the failed ones are named.
const CHECKS = {
  'Lint and format': 'lint',
  Types: 'typecheck',
  'Files, exports and packages that nobody uses': 'knip',
  'Generated documentation': 'gen:check',
  'Links of documents': 'check:links',
  'Published packages': 'check:packages',
  'Slow tests': 'check:times',
};

const failed = Object.entries(CHECKS).filter(([title, script]) => {
  console.log(`\n=== ${title} (${script})`);
  return spawnSync(process.execPath, ['--run', script], { stdio: 'inherit' }).status !== 0;
});

console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.map(([title]) => title).join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
