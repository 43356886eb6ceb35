import type { ControlState } from '@browser-toolset/core/protocol';
import type { ReactElement } from 'react';
import type { BrowserStreamModel } from '../stream/model.js';
import { isLive } from '../stream/state.js';
import { ActionLine } from './action-line.js';
import { Icon, type IconName } from './icons.js';
import type { BrowserStream } from './use-browser-stream.js';

type Driver = 'agent' | 'you' | 'another';

const DRIVERS: Readonly<Record<Driver, { icon: IconName; text: string }>> = {
  agent: { icon: 'spark', text: 'Agent is in control' },
  you: { icon: 'hand', text: 'You are in control' },
  another: { icon: 'person', text: 'Someone else is in control' },
};

/** Who drives, what the agent is doing, who watches, and the way to take over or hand back. */
export function ControlBar({ stream: { state, model } }: { stream: BrowserStream }): ReactElement {
  // Nobody drives what is not there.
  const control = isLive(state) ? state.control : undefined;
  const driver = driverOf(control);
  return (
    <div className="bt-control-bar">
      {control !== undefined && (
        <span className="bt-driver" data-driver={driver} role="status">
          <Icon name={DRIVERS[driver].icon} />
          {DRIVERS[driver].text}
        </span>
      )}
      <ActionLine action={isLive(state) ? state.actions.at(-1) : undefined} />
      {state.connection.phase === 'open' && state.viewers > 0 && (
        <span
          className="bt-viewers"
          role="img"
          aria-label={state.viewers === 1 ? '1 viewer' : `${state.viewers} viewers`}
          title="Viewers"
        >
          <Icon name="eye" />
          {state.viewers}
        </span>
      )}
      {control !== undefined && <ControlButton control={control} model={model} />}
    </div>
  );
}

function ControlButton({ control, model }: { control: ControlState; model: BrowserStreamModel }): ReactElement {
  if (!control.mayControl) return <span className="bt-note">View only</span>;
  switch (driverOf(control)) {
    case 'you':
      return (
        <button type="button" className="bt-button" onClick={() => model.releaseControl()}>
          Hand back
        </button>
      );
    case 'agent':
      return (
        <button type="button" className="bt-button bt-primary" onClick={() => model.takeControl()}>
          Take control
        </button>
      );
    case 'another': {
      const hasAsked = control.requestedBy === 'you';
      return (
        <button type="button" className="bt-button" disabled={hasAsked} onClick={() => model.takeControl()}>
          {hasAsked ? 'Asked for control' : 'Ask for control'}
        </button>
      );
    }
  }
}

/** Somebody asks for control, or refused to give it. */
export function ControlNotice({ stream: { state, model } }: { stream: BrowserStream }): ReactElement | null {
  const control = isLive(state) ? state.control : undefined;
  if (control?.isYou && control.requestedBy === 'another') {
    return (
      <div className="bt-notice" role="alert">
        <Icon name="person" />
        <span>Someone else is asking for control.</span>
        <button type="button" className="bt-button bt-primary" onClick={() => model.releaseControl()}>
          Hand over
        </button>
        <button type="button" className="bt-button" onClick={() => model.denyControl()}>
          Refuse
        </button>
      </div>
    );
  }
  if (!control?.isDenied) return null;
  return (
    <div className="bt-notice" role="alert">
      <Icon name="hand" />
      <span>Your request for control was refused.</span>
    </div>
  );
}

function driverOf(control: ControlState | undefined): Driver {
  if (control === undefined || control.holder === 'agent') return 'agent';
  return control.isYou ? 'you' : 'another';
}
