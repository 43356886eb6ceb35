import type { Purpose, Target } from './protocol.js';
import type { Marks } from './secrets/secret-marks.js';

/** A secret in a text that is put into a field. */
export interface SecretText {
  name: string;
  value: string;
}

/** Where a document shows secrets. */
export interface SightingsAnswer {
  doc: string;
  /** How often one that was shown went away since somebody looks. */
  vanished: number;
  /** In the viewport of the document, in CSS pixels. `pinned`: does not scroll with the document. */
  boxes: { key: string; box: [left: number, top: number, width: number, height: number]; pinned?: true }[];
  /** Box of the root element. */
  root: [left: number, top: number, width: number, height: number];
  /** Of the page's own document: where what is in sight begins in its viewport, and how often it is enlarged (CSSOM View, VisualViewport). */
  sight: [left: number, top: number, scale: number];
}

/** Requests about secrets. Those with a target check it. */
export type SecretRequest =
  /** Answers with the origin of the document, `null` for one that has none of its own. */
  | { do: 'origin'; target: Target }
  /** Puts a text that has secrets in it into a field. Answers with whether it went in. */
  | {
      do: 'insert';
      target: Target;
      purpose: Extract<Purpose, { to: 'type' }>;
      text: string;
      secrets: SecretText[];
      slowly: boolean;
    }
  /** Answers with {@link SightingsAnswer}. */
  | { do: 'sightings'; marks: Marks };
