/** The meaning of an error code for the agent that reads it. */
export interface ErrorCodeInfo {
  /** One sentence: when a tool answers with this code. */
  meaning: string;
  /** Whether the same call, or the same call after the hint was followed, can succeed. */
  canRetry: boolean;
  /** The next thing to do; left out where nothing general helps. */
  recoveryHint?: string;
}

/**
 * The closed set of codes with which a tool can fail.
 * Those that Mastra's own `BrowserToolError` has keep their meaning.
 */
export const ERROR_CODES = {
  stale_ref: {
    meaning: 'The ref is not in the latest snapshot, or its element or document is gone.',
    canRetry: true,
    recoveryHint: 'Use a ref from the changes below, or take a new browser_snapshot.',
  },
  ref_changed: {
    meaning:
      'The element is still there but no longer says what the snapshot said; the ref now stands for what it says now.',
    canRetry: true,
    recoveryHint: 'Repeat the call if the element as it is now is the one you want; else take a new browser_snapshot.',
  },
  invalid_ref: {
    meaning: 'The text is not a ref, or no snapshot of this session ever gave that ref out.',
    canRetry: true,
    recoveryHint: 'Refs look like @e12 and come from browser_snapshot of this session.',
  },
  element_not_found: {
    meaning: 'Nothing on the page matches.',
    canRetry: true,
    recoveryHint: 'Take a browser_snapshot to see what is on the page.',
  },
  element_not_visible: {
    meaning: 'The element exists but has no visible box to act on.',
    canRetry: true,
    recoveryHint: 'Scroll to it, open what hides it, or take a new browser_snapshot.',
  },
  element_blocked: {
    meaning: 'Another element covers the place where the action would land.',
    canRetry: true,
    recoveryHint: 'Close or finish what covers it, then repeat the call.',
  },
  element_disabled: {
    meaning: 'The element is disabled.',
    canRetry: true,
    recoveryHint: 'Do what enables it first, such as filling required fields.',
  },
  not_focusable: { meaning: 'The element cannot take keyboard focus.', canRetry: false },
  not_editable: {
    meaning: 'The element takes no text: it is read-only or not a text field.',
    canRetry: false,
    recoveryHint: 'Choose the text field itself, or use browser_click.',
  },
  is_select: {
    meaning: 'The element is a drop-down list, which takes options, not text or clicks.',
    canRetry: false,
    recoveryHint: 'Use browser_select with one of the options.',
  },
  is_file_input: {
    meaning: 'The element takes files, not text or clicks.',
    canRetry: false,
    recoveryHint: 'Use browser_upload with the paths of files.',
  },
  no_dialog: { meaning: 'No dialog is open.', canRetry: false },
  dialog_open: {
    meaning: 'A dialog is open and the page waits for its answer.',
    canRetry: true,
    recoveryHint: 'Answer it with browser_dialog first.',
  },
  navigation_failed: {
    meaning: 'The page could not be loaded.',
    canRetry: true,
    recoveryHint: 'Check the url; the page that was open before may still be there.',
  },
  url_blocked: {
    meaning: 'The url is refused by policy.',
    canRetry: false,
    recoveryHint: 'Use an http or https url that the policy allows.',
  },
  download_failed: {
    meaning: 'A download started but did not complete.',
    canRetry: true,
    recoveryHint: 'Start the download again.',
  },
  secret_not_allowed: {
    meaning: 'The secret is not for this document or not for this kind of field; nothing was typed.',
    canRetry: false,
    recoveryHint: 'Secrets are typed by browser_type and browser_fill_form, into fields of the domains they are for.',
  },
  approval_required: {
    meaning:
      'The action needs the approval of a person: it was refused, or nobody can be asked where the call came from.',
    canRetry: false,
    recoveryHint: 'Do not try it another way. Say in your answer what was to be done and that it was not approved.',
  },
  file_not_allowed: {
    meaning: 'The path is no plain file inside the folders that are allowed, or too large.',
    canRetry: false,
    recoveryHint: 'Use a file inside the folders that the option uploadRoots allows.',
  },
  timeout: {
    meaning: 'It did not happen in time.',
    canRetry: true,
    recoveryHint: 'Take a browser_snapshot to see the state of the page before trying again.',
  },
  session_in_use: {
    meaning: "Another process is at work in this thread's browser, or took it over while the call ran.",
    canRetry: true,
    recoveryHint: 'Wait a moment, then repeat the call.',
  },
  browser_closed: {
    meaning: 'The browser or this session was closed while the call ran.',
    canRetry: true,
    recoveryHint: 'Repeat the call: it starts the browser again.',
  },
  page_crashed: {
    meaning: 'The page crashed while the call ran.',
    canRetry: true,
    recoveryHint: 'Repeat the call: the page is opened again first.',
  },
  human_in_control: {
    meaning: 'A person drives this browser at the moment.',
    canRetry: true,
    recoveryHint: 'Wait until control is released.',
  },
  invalid_input: {
    meaning: 'The input does not fit the tool.',
    canRetry: true,
    recoveryHint: 'Correct the fields named in the message.',
  },
  aborted: { meaning: 'The call was cancelled by its caller.', canRetry: true },
  browser_error: {
    meaning: 'The browser refused for a reason without a code of its own.',
    canRetry: true,
    recoveryHint: 'Take a browser_snapshot to see the state of the page, then try another way.',
  },
} as const satisfies Record<string, ErrorCodeInfo>;

/** A code with which a tool can fail. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The result of a tool that could not do what was asked. Tools return it; they do not throw it. */
export interface ToolFailure {
  success: false;
  code: ErrorCode;
  /** The failure, for a reader who knows the page but not the code. */
  message: string;
  /** The next thing to do. */
  recoveryHint?: string;
  /** Whether repeating the call (after the hint) can succeed. */
  canRetry: boolean;
  /** Url of the active tab after the failure. */
  url?: string;
  /** The changes of the page since the agent last read it, as snapshot lines. */
  changes?: string;
}
