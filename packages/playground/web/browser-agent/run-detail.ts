import type { RunDetail, RunEvent, StepView } from '../../src/server/browser-agent/api.js';

/** A run after one more event of it. */
export function after(detail: RunDetail | undefined, event: RunEvent): RunDetail | undefined {
  switch (event.type) {
    case 'all': {
      const { type: _, ...all } = event;
      return all;
    }
    case 'run':
      return detail && { ...detail, run: event.run };
    case 'step':
      return detail && { ...detail, steps: withStep(detail.steps, event.step) };
    case 'rerun':
      return detail && { ...detail, rerun: event.rerun };
    case 'deleted':
      return undefined;
  }
}

function withStep(steps: readonly StepView[], step: StepView): readonly StepView[] {
  const isKnown = steps.some(other => other.step === step.step);
  return isKnown ? steps.map(other => (other.step === step.step ? step : other)) : [...steps, step];
}
