import type { ReactElement } from 'react';
import { type BrowserStreamState, mayAct } from '../stream/state.js';
import { Icon, type IconName } from './icons.js';
import type { BrowserStream } from './use-browser-stream.js';

interface Message {
  icon?: IconName;
  title: string;
  text?: string;
  action?: 'relaunch' | 'reconnect';
}

const REFUSALS: Readonly<Record<number, string>> = {
  4401: 'Sign in again, or ask for a new link.',
  4403: 'You are not allowed to watch this browser.',
  4404: 'There is no such agent or thread.',
};

/** The message in place of the page while there is none; undefined while there is. */
function messageOf({ connection, status, hasFrame, control }: BrowserStreamState): Message | undefined {
  const mayLaunch = mayAct({ control });
  switch (connection.phase) {
    case 'idle':
      return { icon: 'offline', title: 'Not connected' };
    case 'connecting':
      return { title: connection.attempt > 1 ? 'Reconnecting…' : 'Connecting…' };
    case 'waiting':
      return { icon: 'offline', title: 'Connection lost', text: waitText(connection.retryIn), action: 'reconnect' };
    case 'refused':
      return refusalOf(connection);
    case 'open':
      break;
  }
  if (status === 'browser_starting') return { title: 'Starting the browser…' };
  if (status === 'browser_closed') {
    const text = mayLaunch ? undefined : 'It opens again when the agent needs it.';
    return {
      icon: 'power',
      title: 'The browser is closed',
      ...(text && { text }),
      ...(mayLaunch && { action: 'relaunch' }),
    };
  }
  if (status !== 'streaming') {
    const text = 'It starts when the agent opens its first page.';
    return { icon: 'globe', title: 'No browser yet', text, ...(mayLaunch && { action: 'relaunch' }) };
  }
  return hasFrame ? undefined : { title: 'Waiting for the page…' };
}

function refusalOf({ code, reason }: { code: number; reason: string }): Message {
  return {
    icon: 'lock',
    title: 'The server refused',
    text: reason || (REFUSALS[code] ?? `Close code ${code}.`),
    action: 'reconnect',
  };
}

function waitText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `Trying again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`;
}

export function StageMessage({ stream: { state, model } }: { stream: BrowserStream }): ReactElement | null {
  const message = messageOf(state);
  if (message === undefined) return null;
  const { icon, title, text, action } = message;
  return (
    <div className="bt-message" data-over={state.hasFrame} role="status">
      {icon === undefined ? <span className="bt-spinner" /> : <Icon name={icon} />}
      <strong>{title}</strong>
      {text && <p>{text}</p>}
      {action === 'relaunch' && (
        <button type="button" className="bt-button bt-primary" onClick={() => model.relaunch()}>
          {state.status === 'browser_closed' ? 'Relaunch' : 'Launch'}
        </button>
      )}
      {action === 'reconnect' && (
        <button type="button" className="bt-button" onClick={() => model.start()}>
          Try again now
        </button>
      )}
    </div>
  );
}
