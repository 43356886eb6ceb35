import { describe, expect, onTestFinished } from 'vitest';
import { UndeliveredInput } from '../src/input/undelivered-input.js';
import { click, field, focusedField, injectorOf, press } from './input-steps.js';
import { test } from './live-fixtures.js';

describe('the page under the input', () => {
  test('is the active one, also after a tab change and after a tab was closed', async ({ page, context, source }) => {
    const input = injectorOf(source);
    await focusedField(page);
    await press(input, { key: 'a' });
    const other = await context.newPage();
    await focusedField(other);
    source.show(other);
    await press(input, { key: 'b' });
    expect(await field(other).inputValue()).toBe('b');
    await other.close();
    source.show(page);
    await press(input, { key: 'c' });
    expect(await field(page).inputValue()).toBe('ac');
  });

  test('is not there: the input is refused', async ({ source }) => {
    const input = injectorOf(source);
    source.show(null);
    await expect(input.injectMouse({ type: 'mouseMoved', x: 1, y: 1 })).rejects.toThrow(UndeliveredInput);
    await expect(input.injectKeyboard({ type: 'keyDown', key: 'a' })).rejects.toThrow(UndeliveredInput);
    await expect(input.insertText('a')).rejects.toThrow(UndeliveredInput);
    await input.releaseAll();
  });

  test('may close itself on a click, which is no error', async ({ page, context, source }) => {
    const input = injectorOf(source);
    const [popup] = await Promise.all([context.waitForEvent('page'), page.evaluate("void open('about:blank')")]);
    await popup.setContent('<body style="height: 400px" onmousedown="window.close()">');
    source.show(popup);
    const closed = popup.waitForEvent('close');
    await input.injectMouse({ type: 'mousePressed', x: 10, y: 10, button: 'left' });
    await closed;
  });

  test('may open a dialog on a click, which keeps nobody waiting', async ({ page, source }) => {
    const input = injectorOf(source);
    const opened = page.waitForEvent('dialog');
    await page.setContent('<body style="height: 400px" onclick="alert(1); document.title = \'answered\'">');
    await click(input, 10, 10);
    await (await opened).accept();
    await expect.poll(() => page.title()).toBe('answered');
  });

  test('may take any size that a window has', async ({ browser, source }) => {
    const input = injectorOf(source);
    const context = await browser.newContext({ viewport: null });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.setContent(
      '<body style="height: 400px" onclick="document.title = \'clicked\'"><script>innerWidth = 1e9</script>',
    );
    source.show(page);
    await expect(input.injectMouse({ type: 'mouseMoved', x: 1e6, y: 5 })).rejects.toThrow(UndeliveredInput);
    await click(input, 10, 10);
    expect(await page.title()).toBe('clicked');
  });
});
