export interface Evaluation {
  readonly verdict: 'success' | 'failed' | 'unknown';
  /** Without the verdict. */
  readonly words: string;
}

const VERDICT = /^\W*(success(?:ful(?:ly)?)?|fail(?:ed|ure)?|unknown)\b\W*/i;

/** What the agent says of its last step begins with its verdict. What begins otherwise says nothing for sure. */
export function evaluationOf(text: string): Evaluation {
  const [said = '', word = ''] = VERDICT.exec(text) ?? [];
  const letter = word[0]?.toLowerCase();
  const verdict = letter === 's' ? 'success' : letter === 'f' ? 'failed' : 'unknown';
  return { verdict, words: text.slice(said.length) };
}
