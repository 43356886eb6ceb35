import type { Purpose, Target, WantedOptions } from './protocol.js';
import type { SecretRequest } from './secret-protocol.js';
import type { TextRequest } from './text-protocol.js';

/** Requests to the engine. Those with a target check it as described at `Refusal`. */
export type Request =
  /**
   * `acted` asks for the facts of the element that was last handed out for a purpose, `exactText` for where each text
   * stands and whether a person can read it, `since` for what was refused in so many milliseconds. A capture that reads
   * as the one of the number `seen` is not sent again.
   */
  | {
      do: 'capture';
      maxNodes: number;
      acted?: boolean;
      exactText?: boolean;
      /** With the text that style sheets add beside other text. */
      addedText?: boolean;
      seen?: number;
      since?: number;
    }
  /** Resolves to the element itself, for Playwright to act on. `guard` lets a press reach nothing else, nor the element once it is another. */
  | { do: 'element'; target: Target; guard?: true; purpose?: Purpose }
  /** Selects what a field of text holds, for text to take its place. Answers with an `EntryAnswer`. */
  | { do: 'enter'; target: Target; purpose: Extract<Purpose, { to: 'type' }> }
  /**
   * Of a target that may say anything: refused when what was meant for it was kept from the page. `inSight` scrolls the
   * element into view.
   */
  | { do: 'facts'; target: Target; inSight?: true }
  /** Answers with a `FocusAnswer`. */
  | { do: 'focus'; target: Target }
  /** Selects options of a select element. */
  | { do: 'choose'; target: Target; wanted: WantedOptions }
  | { do: 'probe'; id: number }
  /** Guards a press of the element, scrolls it into view, and answers with an `AimAnswer`. `unguarded` tells alone where it would go. */
  | { do: 'aim'; target: Target; purpose?: Purpose; unguarded?: true }
  /** Where a point of the document in a frame is, seen from this one, by an `OuterPoint`, or null where nobody can tell. */
  | { do: 'outOfFrame'; id: number; x: number; y: number }
  /** Guards the press of an area of an image; answers with an `AreaAnswer`. */
  | { do: 'area'; target: Target }
  /** Lets events through again; answers with a {@link GuardReport}. */
  | { do: 'guard' }
  /** Lets no press reach this document: one that is meant for a frame in it would have hit what lies over the frame. */
  | { do: 'shield' }
  /** Scrolls the box around the target, or the main one, by pixels or by lengths of that box. */
  | { do: 'scroll'; target?: Target; dx: number; dy: number; unit: 'pixels' | 'lengths' }
  /** Scrolls a node to where a person sees it. Answers with the state of the main scroller. */
  | { do: 'reveal'; id: number }
  | { do: 'at'; x: number; y: number }
  /** Answers with the id of what would be pressed to get past an element that lies over a frame, or null. */
  | { do: 'wayOut'; id: number }
  /** Answers with the ids of what is in the box that stands over a page which takes no press; none where there is none. */
  | { do: 'overlay' }
  /** Answers with a `PlaceAnswer` each, or null for what is gone. */
  | { do: 'places'; ids: number[] }
  /** Answers with a `BoxesAnswer`. */
  | { do: 'boxes'; ids: number[] }
  /** Answers with the path of each element, or null for what is gone or in another document. */
  | { do: 'paths'; doc: string; ids: number[] }
  | TextRequest
  | SecretRequest
  /** Answers with whether files can be dropped on it. */
  | { do: 'takesDrops'; target: Target }
  /** Answers with an `OutputReport`. */
  | { do: 'outputs' }
  /** Answers with a `PingAnswer`. */
  | { do: 'ping' };
