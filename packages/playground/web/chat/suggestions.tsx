import type { StudioAgent, SuggestedTask } from '../../src/server/api.js';
import { goToWritingPlace } from '../layout/writing-place.js';

interface SuggestionsProps {
  readonly agent: StudioAgent;
  readonly tasks: readonly SuggestedTask[];
  readonly onChoose: (prompt: string) => void;
}

/** What an empty thread shows. */
export function Suggestions({ agent, tasks, onChoose }: SuggestionsProps) {
  const begin = (prompt: string) => {
    onChoose(prompt);
    goToWritingPlace();
  };
  return (
    <div className="empty-thread">
      <h2>What should {agent.name} do?</h2>
      <p className="hint">
        {agent.model === undefined
          ? 'These tasks run in the demo shop; watch them in the live view.'
          : 'Write a task below, or try one in the demo shop.'}
      </p>
      <ul className="task-cards">
        {tasks.map(({ id, title, shows, prompt }) => (
          <li key={id}>
            <button type="button" className="task-card" title={prompt} onClick={() => begin(prompt)}>
              <span className="row-title">{title}</span>
              <span className="row-sub">{shows}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
