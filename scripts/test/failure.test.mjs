import { open } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { causeOf, systemFailure } from '../bootstrap/failure.mjs';

test.each([
  ['npm error code ECONNREFUSED', 'the network or the registry cannot be reached'],
  ['ENOSPC: no space left on device, write', 'the disk is full'],
  ['npm error code E404', 'the registry does not have it'],
  ['ERR_PNPM_FETCH_401  GET: Unauthorized', 'the registry refused access'],
])('"%s" is told as: %s', (output, cause) => {
  expect(causeOf(output)).toBe(cause);
});

test('a disk that is full is named, although the writes that follow fail as well', () => {
  expect(causeOf('EACCES: permission denied\nENOSPC: no space left on device')).toBe('the disk is full');
});

test('output without a known code has no cause', () => {
  expect(causeOf('something went wrong')).toBeUndefined();
});

test('a failed system call becomes one sentence', async () => {
  const error = await open('/nowhere/at/all').catch(reason => reason);
  expect(systemFailure(error)).toBe('Cannot open /nowhere/at/all: ENOENT.');
});

test('an error of our own making is not taken for a failed system call', () => {
  expect(systemFailure(new TypeError('x is undefined'))).toBeUndefined();
});
