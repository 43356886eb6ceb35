interface Change {
  did: 'change';
  /** Names the field in its document. */
  field: string;
  role: string;
  name: string;
  /** It holds again what it held before the person came. */
  isAsBefore: boolean;
  /** The field was left: what it holds now follows from what was put in before, whoever did that. */
  isEcho: boolean;
}

/** The witness's report of one thing that a person did, as it happened. */
export type Testimony =
  | { did: 'click'; role: string; name: string }
  | (Change & { secret: true })
  | (Change & { value: string });
