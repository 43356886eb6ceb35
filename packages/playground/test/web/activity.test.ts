import { describe, expect, test } from 'vitest';
import { EMPTY } from '../../web/chat/conversation.js';
import { chatActivity, runActivity } from '../../web/layout/activity-now.js';

const control = { holder: 'human', isYou: true, mayControl: true, viewer: 'v1' } as const;
const streaming = { status: 'streaming' } as const;

describe('what goes on while the agent runs', () => {
  test.each([
    { who: 'the agent', control: { ...control, holder: 'agent', isYou: false } as const, activity: 'working' },
    { who: 'this person', control, activity: 'control' },
    { who: 'somebody else', control: { ...control, isYou: false }, activity: 'anothers-control' },
    {
      who: 'somebody else, of whom this one asks for it,',
      control: { ...control, isYou: false, requestedBy: 'you' } as const,
      activity: 'anothers-control',
    },
    {
      who: 'somebody else, beside who may only watch,',
      control: { ...control, isYou: false, mayControl: false },
      activity: 'anothers-control',
    },
  ])('is $activity while $who is in control', ({ control, activity }) => {
    const browser = { ...streaming, control };
    expect(chatActivity({ ...EMPTY, status: 'running' }, browser)).toBe(activity);
    expect(runActivity({ status: 'running' }, browser)).toBe(activity);
  });
});
