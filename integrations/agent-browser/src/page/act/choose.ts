import type { WantedOptions } from '../protocol.js';
import { tidy } from './fit.js';

/** Selects options of a drop-down or list box, and tells the page as Chromium does when a person selects them. */
export function choose(select: HTMLSelectElement, { values, labels, indexes }: WantedOptions): void {
  const options = Array.from(select.options);
  const wanted = new Set(
    values?.map(value => options.find(option => option.value === value)) ??
      labels?.map(label => options.find(option => tidy(option.label) === tidy(label))) ??
      indexes?.map(index => options[index]),
  );
  for (const option of options) option.selected = wanted.has(option);
  select.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  select.dispatchEvent(new Event('change', { bubbles: true }));
}
