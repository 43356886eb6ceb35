import type { BrowserToolset } from '../../src/index.js';

/** A person at a live view: what they do with mouse and keyboard, as a viewer sends it. */
export function personAt(toolset: BrowserToolset, threadId: string) {
  const press = async (x: number, y: number): Promise<void> => {
    await toolset.injectMouseEvent({ type: 'mouseMoved', x, y }, threadId);
    await toolset.injectMouseEvent({ type: 'mousePressed', x, y, button: 'left' }, threadId);
    await toolset.injectMouseEvent({ type: 'mouseReleased', x, y, button: 'left' }, threadId);
  };
  const key = async (name: string, modifiers = 0): Promise<void> => {
    await toolset.injectKeyboardEvent({ type: 'keyDown', key: name, modifiers }, threadId);
    await toolset.injectKeyboardEvent({ type: 'keyUp', key: name, modifiers }, threadId);
  };
  return {
    click: press,
    key,
    async type(text: string): Promise<void> {
      for (const character of text) await key(character);
    },
  };
}
