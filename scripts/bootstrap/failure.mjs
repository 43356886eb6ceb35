/** Something that cannot be had: its message is one sentence for the person at the terminal, printed without a stack. */
export class BootstrapError extends Error {}

/** The person or the system stopped the bootstrap while a step was running. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

export const UNREACHABLE = 'the network or the registry cannot be reached';

// npm, pnpm and apt tell a program nothing but text; these are the machine codes in it, the most telling first.
const CAUSES = /** @type {const} */ ([
  [/ENOSPC|No space left/, 'the disk is full'],
  [
    /ERR_PNPM_OUTDATED_LOCKFILE/,
    'pnpm-lock.yaml does not match a package.json: run `pnpm install` and keep the new lockfile',
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_HAS_EXPIRED/,
    'the registry has a certificate this machine does not trust',
  ],
  [
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|SOCKET_TIMEOUT|Temporary failure resolving|Could not connect/,
    UNREACHABLE,
  ],
  [/\bE40[13]\b|ERR_PNPM_FETCH_40[13]/, 'the registry refused access'],
  [/\bE404\b|ETARGET|ERR_PNPM_FETCH_404|NO_MATCHING_VERSION/, 'the registry does not have it'],
  [/no installation candidate|Unable to locate package/, 'the distribution has no such package'],
  [/EACCES|EPERM|EROFS|Permission denied/, 'writing there is not permitted'],
]);

/**
 * Why a tool failed, as far as its output says.
 * @param {string} output
 * @returns {string | undefined}
 */
export function causeOf(output) {
  return CAUSES.find(([pattern]) => pattern.test(output))?.[1];
}

/**
 * One sentence for a failed system call, or nothing when the error is not one.
 * @param {unknown} error
 * @returns {string | undefined}
 */
export function systemFailure(error) {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  const place = 'path' in error ? ` ${error.path}` : '';
  return `Cannot ${error.syscall}${place}: ${causeOf(String(error.code)) ?? error.code}.`;
}
