import type { ToolRun } from '../../src/server/api.js';
import { JsonTree } from '../layout/json-tree.js';
import { ModelText } from '../layout/model-text.js';
import { EffectChips } from '../timeline/effect-chips.js';
import { shownDuration } from '../timeline/numbers.js';

/** What a program gets of a call, and beside it what a model reads. */
export function ToolResult({ run: { action } }: { readonly run: ToolRun }) {
  const { output, text = '', tokens = 0, milliseconds = 0, effects, pictures } = action;
  return (
    <section className="tool-result" aria-label="Result">
      <EffectChips effects={effects} />
      <div className="two-views">
        <section aria-labelledby="object-heading">
          <h3 id="object-heading">
            Object <span className="cost">{shownDuration(milliseconds)}</span>
          </h3>
          <JsonTree value={output} />
        </section>
        <section aria-labelledby="text-heading">
          <h3 id="text-heading">
            What the model reads{' '}
            <span className="cost" title="In o200k_base">
              {tokens} tokens
            </span>
          </h3>
          <ModelText text={text} />
          {pictures.map(picture => (
            <img key={picture.slice(0, 200)} className="model-picture" src={picture} alt="What the model sees" />
          ))}
        </section>
      </div>
    </section>
  );
}
