import { readFile, writeFile } from 'node:fs/promises';
import { JsonReporter } from 'vitest/node';

/**
 * Vitest's JSON report, with what it leaves out: it reckons a file from its first test to its last. What came before (the
 * worker, setup files, imports) and hooks of a whole file, such as one that starts a Chromium, are in no number of it.
 */
export default class TimesReporter extends JsonReporter {
  /**
   * @override
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} [_errors]
   * @param {import('vitest/node').TestRunEndReason} [reason]
   */
  async onTestRunEnd(modules, _errors, reason) {
    await super.onTestRunEnd(modules);
    const { outputFile } = this.ctx.config;
    const file = typeof outputFile === 'object' ? outputFile.json : outputFile;
    if (file === undefined) throw new Error('This reporter needs --outputFile.json.');
    const report = /** @type {import('./report.mjs').Report} */ (JSON.parse(await readFile(file, 'utf8')));
    const times = new Map(modules.map(module => [module.moduleId, timesOf(module.diagnostic())]));
    for (const result of report.testResults) Object.assign(result, times.get(result.name ?? ''));
    await writeFile(file, JSON.stringify({ ...report, reason, endTime: Date.now() }));
  }
}

/** @param {import('vitest/node').ModuleDiagnostic} diagnostic */
function timesOf({ environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration }) {
  return { loading: environmentSetupDuration + prepareDuration + setupDuration + collectDuration, duration };
}
