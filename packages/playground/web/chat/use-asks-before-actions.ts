import { useStored } from '../layout/stored.js';

const readSwitch = (stored: string | null) => (stored === 'on' ? 'on' : 'off');

/** Whether actions wait for the person, as they chose it last. */
export function useAsksBeforeActions(): readonly [boolean, (asks: boolean) => void] {
  const [asks, setAsks] = useStored<'on' | 'off'>('ask-before-actions', readSwitch);
  return [asks === 'on', isOn => setAsks(isOn ? 'on' : 'off')];
}
