import type {
  BrowserLiveControls,
  KeyboardEventInput,
  LiveAction,
  LiveDialog,
  LiveDialogAnswer,
  LiveQuestion,
  LiveSession,
  LiveTab,
  MouseEventInput,
  TouchEventInput,
  ViewportSize,
} from '@browser-toolset/core';
import { MastraBrowser } from '@mastra/core/browser';
import { DEFAULT_SESSION } from '../browser/sessions.js';
import { answeredByKey, dialogOf, type LiveView } from './live-view.js';

/** The part of a toolset for viewers: a person's input and commands, and events to show. */
export abstract class LiveBrowser extends MastraBrowser implements BrowserLiveControls {
  protected abstract readonly live: LiveView;

  override async injectMouseEvent(event: MouseEventInput, threadId: string = DEFAULT_SESSION): Promise<void> {
    const isPress = event.type === 'mousePressed' || event.type === 'mouseReleased';
    await this.live.inject(threadId, isPress, input => input.injectMouse(event));
  }

  override async injectKeyboardEvent(event: KeyboardEventInput, threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.inject(threadId, true, async (input, { activeTab }) => {
      if (!(await answeredByKey(activeTab, event))) await input.injectKeyboard(event);
    });
  }

  async injectTouchEvent(event: TouchEventInput, threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.inject(threadId, true, input => input.injectTouch(event));
  }

  async insertText(text: string, threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.inject(threadId, true, input => input.insertText(text));
  }

  async releaseInput(threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.releaseInput(threadId);
  }

  liveSessions(): readonly LiveSession[] {
    return this.live.published.list();
  }

  liveTabs(threadId: string = DEFAULT_SESSION): readonly LiveTab[] {
    const session = this.live.sessions.find(threadId);
    return session === undefined ? [] : this.live.published.tabs(session);
  }

  /** Without a thread it calls back for all threads, as do `onAction` and `onQuestionChanged`. */
  onTabsChanged(callback: () => void, threadId?: string): () => void {
    return this.live.onTabsChanged(callback, threadId);
  }

  async openTab(url: string | undefined, threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.tabsOf(threadId).open(url);
  }

  async switchTab(tab: string, threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.tabsOf(threadId).switchTo(tab);
  }

  async closeTab(tab: string, threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.tabsOf(threadId).close(tab);
  }

  async visit(url: string, threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.tabsOf(threadId).visit(url);
  }

  async travel(direction: 'back' | 'forward' | 'reload', threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.tabsOf(threadId).travel(direction);
  }

  async resize(viewport: ViewportSize, threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.tabsOf(threadId).resize(viewport);
  }

  async takeControl(threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.sessions.get(threadId).person.takeControl();
  }

  async releaseControl(threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.sessions.find(threadId)?.person.releaseControl();
  }

  isControlled(threadId: string = DEFAULT_SESSION): boolean {
    return this.live.sessions.find(threadId)?.person.control.isHeld ?? false;
  }

  onControlChanged(callback: () => void, threadId?: string): () => void {
    return this.live.each(threadId, session => session.events.on('control', callback));
  }

  onAction(callback: (action: LiveAction) => void, threadId?: string): () => void {
    return this.live.each(threadId, session => session.events.on('action', callback));
  }

  liveDialog(threadId: string = DEFAULT_SESSION): LiveDialog | undefined {
    const tab = this.live.sessions.find(threadId)?.activeTab;
    return tab && dialogOf(tab);
  }

  onDialogChanged(callback: () => void, threadId?: string): () => void {
    return this.live.each(threadId, session => {
      const stops = [session.events.on('dialogs', callback), session.events.on('closed', callback)];
      return () => stops.map(stop => stop());
    });
  }

  async answerDialog(answer: LiveDialogAnswer, threadId: string = DEFAULT_SESSION): Promise<void> {
    await this.live.answerDialog(threadId, answer);
  }

  liveQuestion(threadId: string = DEFAULT_SESSION): LiveQuestion | undefined {
    return this.live.sessions.find(threadId)?.person.question;
  }

  onQuestionChanged(callback: () => void, threadId?: string): () => void {
    return this.live.each(threadId, session => session.events.on('question', callback));
  }
}
