import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { controlStateOf, FREE_LEASE, type Lease, type LeaseEvent, leaseAfter } from '../src/control.js';

const VIEWERS = ['ann', 'bob', 'cy', 'dee'];
const events = fc.array(
  fc.record({ action: fc.constantFrom('take', 'release', 'deny', 'leave'), viewer: fc.constantFrom(...VIEWERS) }),
  { maxLength: 40 },
) as fc.Arbitrary<LeaseEvent[]>;

function after(...steps: [viewer: string, action: LeaseEvent['action']][]): Lease {
  return steps.reduce((lease, [viewer, action]) => leaseAfter(lease, { viewer, action }), FREE_LEASE);
}

const told = (lease: Lease, id: string) => controlStateOf(lease, { id, mayControl: true });

describe('whatever happens', () => {
  test('the holder has no request, nobody asks twice, and nobody asks while the agent drives', () => {
    fc.assert(
      fc.property(events, steps => {
        let lease = FREE_LEASE;
        for (const step of steps) {
          lease = leaseAfter(lease, step);
          expect(lease.requests).not.toContain(lease.holder);
          expect(new Set(lease.requests).size).toBe(lease.requests.length);
          if (lease.holder === undefined) expect(lease).toEqual(FREE_LEASE);
        }
      }),
    );
  });

  test('at most one viewer is told that it holds control, and never who has left', () => {
    fc.assert(
      fc.property(events, fc.constantFrom(...VIEWERS), (steps, leaver) => {
        const lease = leaseAfter(after(...steps.map(step => [step.viewer, step.action] as [string, 'take'])), {
          action: 'leave',
          viewer: leaver,
        });
        expect(VIEWERS.filter(id => told(lease, id).isYou).length).toBe(lease.holder === undefined ? 0 : 1);
        expect([lease.holder, ...lease.requests, ...lease.denied]).not.toContain(leaver);
      }),
    );
  });

  test('when all have left the agent drives', () => {
    fc.assert(
      fc.property(events, steps => {
        const left = VIEWERS.map(viewer => ({ action: 'leave' as const, viewer }));
        expect([...steps, ...left].reduce(leaseAfter, FREE_LEASE)).toEqual(FREE_LEASE);
      }),
    );
  });
});

describe('control', () => {
  test('is taken from the agent and given back', () => {
    expect(told(after(['ann', 'take']), 'ann')).toMatchObject({ holder: 'human', isYou: true });
    expect(told(after(['ann', 'take']), 'bob')).toMatchObject({ holder: 'human', isYou: false });
    expect(after(['ann', 'take'], ['ann', 'release'])).toEqual(FREE_LEASE);
  });

  test('of another person is asked for, which the two of them hear of', () => {
    const lease = after(['ann', 'take'], ['bob', 'take']);
    expect([told(lease, 'ann').requestedBy, told(lease, 'bob').requestedBy]).toEqual(['another', 'you']);
    expect(told(lease, 'cy').requestedBy).toBeUndefined();
  });

  test('goes to who asked first when it is released, or when its holder leaves', () => {
    expect(after(['ann', 'take'], ['bob', 'take'], ['cy', 'take'], ['ann', 'release'])).toMatchObject({
      holder: 'bob',
      requests: ['cy'],
    });
    expect(after(['ann', 'take'], ['bob', 'take'], ['ann', 'leave']).holder).toBe('bob');
  });

  test('stays where it is when the request is refused, until it is asked for again', () => {
    const denied = after(['ann', 'take'], ['bob', 'take'], ['ann', 'deny']);
    expect(told(denied, 'bob')).toMatchObject({ holder: 'human', isYou: false, isDenied: true });
    expect(told(leaseAfter(denied, { action: 'take', viewer: 'bob' }), 'bob').isDenied).toBeUndefined();
  });

  test('is not given away by who does not have it', () => {
    const lease = after(['ann', 'take'], ['bob', 'take']);
    expect(leaseAfter(lease, { action: 'deny', viewer: 'bob' })).toBe(lease);
    expect(leaseAfter(lease, { action: 'release', viewer: 'cy' })).toBe(lease);
    expect(leaseAfter(lease, { action: 'release', viewer: 'bob' }).requests).toEqual([]);
  });
});
