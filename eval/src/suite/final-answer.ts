/** What agents are told about the form of an answer that a program compares. */
export function answerLine(form: string): string {
  return `End with a line that begins with ANSWER: and has nothing behind it but ${form}.`;
}

/** The typed answer in an agent's last words; undefined where there is none. */
export function finalAnswer(words: string): string | undefined {
  const line = words.split('\n').findLast(each => /^\W*answer\W*:/i.test(each));
  return line
    ?.replace(/^\W*answer\W*:/i, '')
    .replace(/^[\s*_`"'“”]+|[\s*_`"'“”.]+$/g, '')
    .trim();
}

/** What is wrong with an answer: nothing, where it is what was expected. Numbers may have a currency and separators. */
export function answerProblems(words: string, expected: string | number): string[] {
  const answer = finalAnswer(words);
  if (answer === undefined) return ['the answer has no line that begins with ANSWER:'];
  const isRight =
    typeof expected === 'number'
      ? /\d/.test(answer) &&
        Number(answer.replace(/^(?:[$€£]|USD|CHF)\s*|[,\s]|\s*(?:dollars|francs)$/gi, '')) === expected
      : answer.toLowerCase() === expected.toLowerCase();
  return isRight ? [] : [`the answer is ${JSON.stringify(answer)} instead of ${JSON.stringify(expected)}`];
}
