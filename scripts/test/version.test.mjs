import { expect, test } from 'vitest';
import { isAtLeast, majorOf } from '../bootstrap/version.mjs';

test.each([
  ['v22.13.0', true],
  ['v22.23.3', true],
  ['v24.0.0', true],
  ['v100.0.0', true],
  ['v22.12.9', false],
  ['v22.9.0', false],
  ['v20.20.2', false],
  ['v22.13.0-nightly1', true],
])('%s satisfies 22.13.0: %s', (version, expected) => {
  expect(isAtLeast(version, '22.13.0')).toBe(expected);
});

test('the major of what a tool prints is read past the line end', () => {
  expect(majorOf('10.34.9\n')).toBe(10);
});

test('text that is no version is refused instead of compared', () => {
  expect(() => majorOf('command not found')).toThrow('not a version');
});
