import type { ActionPreview } from '@browser-toolset/agent-browser';
import type { CallKind } from './api.js';

const CLASS_LABELS: Record<ActionPreview['classes'][number], string> = {
  submit: 'may send',
  pay: 'may pay',
  delete: 'may delete',
  upload: 'uploads',
  download: 'may download',
  evaluate: 'runs a script',
};

/** What the action may do beyond the page, in a person's words; nothing where it only reads or fills in. */
export function effectLabels({ classes, isUncertain }: Pick<ActionPreview, 'classes' | 'isUncertain'>): string[] {
  const labels = classes.map(each => CLASS_LABELS[each]);
  return isUncertain ? [...labels, 'target unknown'] : labels;
}

/** The kind of a call: what it does, with which tool, on which site. Of an address that is opened, that site. */
export function kindOf({ tool, url, classes, isUncertain }: ActionPreview, opened: unknown): CallKind {
  const site = siteOf(typeof opened === 'string' ? opened : url);
  const key = JSON.stringify([tool, [...classes].sort(), isUncertain, site?.origin ?? '']);
  const labels = effectLabels({ classes, isUncertain });
  const what = tool.replace(/^browser_/, '').replaceAll('_', ' ');
  const where = site?.host ? ` on ${site.host}` : '';
  return { key, words: `${what}${where}${labels.length === 0 ? '' : ` (${labels.join(', ')})`}` };
}

function siteOf(url: string | undefined): URL | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
}

/** The kinds of calls that a person has approved for the rest of one run. */
export class AllowedKinds {
  readonly #kinds = new Map<string, CallKind>();

  get all(): CallKind[] {
    return [...this.#kinds.values()];
  }

  has(kind: CallKind | undefined): boolean {
    return kind !== undefined && this.#kinds.has(kind.key);
  }

  allow(kind: CallKind): void {
    this.#kinds.set(kind.key, kind);
  }

  takeBack(key: string): void {
    this.#kinds.delete(key);
  }

  clear(): void {
    this.#kinds.clear();
  }
}
