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
    meaning: 'The ref is not in the latest snapshot, or its element or document no longer exists.',
    canRetry: true,
    recoveryHint: 'Use a ref from the changes below, or take a new browser_snapshot.',
  },
  ref_changed: {
    meaning:
      'The element is still there, but its role, name or row has changed since you last read it. The ref now stands for its current content.',
    canRetry: true,
    recoveryHint:
      'If the element as it is now is still the one you want, repeat the call; otherwise take a new browser_snapshot.',
  },
  invalid_ref: {
    meaning: 'This is not a valid ref, or it never appeared in this session.',
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
    recoveryHint: 'Scroll to it, open whatever hides it, or take a new browser_snapshot.',
  },
  element_blocked: {
    meaning: 'Another element covers the place where the action would land.',
    canRetry: true,
    recoveryHint: 'Close or finish whatever covers it, then repeat the call.',
  },
  element_disabled: {
    meaning: 'The element is disabled.',
    canRetry: true,
    recoveryHint: 'Do whatever enables it first, such as filling in required fields.',
  },
  not_focusable: { meaning: 'The element cannot take keyboard focus.', canRetry: false },
  not_editable: {
    meaning: 'The element does not accept text: it is read-only or not a text field.',
    canRetry: false,
    recoveryHint: 'Choose the text field itself, or use browser_click.',
  },
  is_select: {
    meaning: 'The element is a drop-down list: it needs an option, not text or a click.',
    canRetry: false,
    recoveryHint: 'Use browser_select with one of the options.',
  },
  is_file_input: {
    meaning: 'The element is a file input: it needs files, not text or a click.',
    canRetry: false,
    recoveryHint: 'Use browser_upload with file paths.',
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
    recoveryHint: 'Check the URL; the previous page may still be open.',
  },
  url_blocked: {
    meaning: 'The URL is blocked by policy.',
    canRetry: false,
    recoveryHint: 'Use an http or https URL that the policy allows.',
  },
  download_failed: {
    meaning: 'A download started but did not complete.',
    canRetry: true,
    recoveryHint: 'Start the download again.',
  },
  secret_not_allowed: {
    meaning: 'The secret is not allowed on this document or in this kind of field; nothing was typed.',
    canRetry: false,
    recoveryHint: 'Type secrets with browser_type or browser_fill_form, into text fields on the domains they are for.',
  },
  approval_required: {
    meaning: 'The action needs the approval of a person: it was refused, or there is nobody to ask.',
    canRetry: false,
    recoveryHint: 'Do not try to work around this. Tell the user what you wanted to do and that it was not approved.',
  },
  file_not_allowed: {
    meaning: 'The path is not a regular file inside an allowed folder, or the file is too large.',
    canRetry: false,
    recoveryHint: 'Use a file inside the folders that the option uploadRoots allows.',
  },
  timeout: {
    meaning: 'The action timed out.',
    canRetry: true,
    recoveryHint: 'Take a browser_snapshot to see the state of the page before trying again.',
  },
  session_in_use: {
    meaning: "Another process is using this thread's browser, or took it over while the call was running.",
    canRetry: true,
    recoveryHint: 'Wait a moment, then repeat the call.',
  },
  browser_closed: {
    meaning: 'The browser or this session was closed while the call was running.',
    canRetry: true,
    recoveryHint: 'Repeat the call: this restarts the browser.',
  },
  page_crashed: {
    meaning: 'The page crashed while the call was running.',
    canRetry: true,
    recoveryHint: 'Repeat the call: the page is reopened first.',
  },
  human_in_control: {
    meaning: 'A person has control of this browser at the moment.',
    canRetry: true,
    recoveryHint: 'Wait until they release control.',
  },
  invalid_input: {
    meaning: 'The input is not valid for this tool.',
    canRetry: true,
    recoveryHint: 'Correct the fields named in the message.',
  },
  aborted: { meaning: 'The call was cancelled by its caller.', canRetry: true },
  browser_error: {
    meaning: 'The browser reported an error that has no code of its own.',
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
