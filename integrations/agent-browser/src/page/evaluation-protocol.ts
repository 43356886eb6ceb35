/** The result of a script in the page. */
export type Evaluated =
  | {
      /** A copy made of what JSON knows. */
      value: unknown;
      /** The type of the value itself, or its class. */
      type: string;
      /** There was too much of it to copy. */
      isCut?: true;
    }
  | { thrown: string };
