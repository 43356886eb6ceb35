import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { inScript, page } from './layout.ts';
import type { Site } from './site.ts';

const preferences = z.object({
  newsletter: z.boolean(),
  twoStep: z.boolean(),
  language: z.enum(['English', 'Norsk', 'Deutsch']),
});
const feedback = z.object({
  rating: z.enum(['Good', 'Fair', 'Bad'], 'Choose a rating'),
  comment: z.string().trim().min(1, 'Write a comment'),
});

export interface Account {
  preferences: z.infer<typeof preferences>;
  feedback: z.infer<typeof feedback>[];
}

/** Settings within a shadow root, and a form for feedback within a frame of another site. */
export const accountSite: Site<Account> = {
  name: 'account',
  newState: () => ({ preferences: { newsletter: true, twoStep: false, language: 'English' }, feedback: [] }),
  app: state =>
    new Hono()
      .get('/', c => c.html(accountPage(state, new URL(c.req.url).port)))
      .post('/preferences', async c => {
        state.preferences = preferences.parse(await c.req.json());
        return c.json(state.preferences);
      })
      .get('/feedback', c => c.html(feedbackForm()))
      .post('/feedback', async c => {
        const given = feedback.safeParse(await c.req.parseBody());
        if (!given.success) return c.html(feedbackForm(given.error.issues[0]?.message), 422);
        state.feedback.push(given.data);
        return c.html(
          page({ name: 'Helpdesk' }, { title: 'Thank you', body: html`<p role="status">Your feedback arrived.</p>` }),
        );
      }),
};

function accountPage({ preferences: now }: Account, port: string) {
  // Under the other name of loopback the frame is of another site, as widgets of support desks are.
  const body = html`<account-settings></account-settings>
<h2>Tell us what you think</h2><iframe title="Feedback" src="http://localhost:${port}/feedback" width="640" height="520"></iframe>`;
  return page(
    { name: 'Harbour bank' },
    { title: 'Your account', body, script: `const now = ${inScript(now)};\n${SETTINGS_SCRIPT}` },
  );
}

function feedbackForm(problem?: string) {
  const body = html`<form method="post" action="/feedback"><p class="error" role="alert">${problem ?? ''}</p>
<fieldset><legend>How was it?</legend>${['Good', 'Fair', 'Bad'].map(each => html`<label><input type="radio" name="rating" value="${each}"> ${each}</label>`)}</fieldset>
<label>Comment <textarea name="comment" rows="3"></textarea></label><button>Send feedback</button></form>`;
  return page({ name: 'Helpdesk' }, { title: 'Feedback', body });
}

const SETTINGS_SCRIPT = `
customElements.define('account-settings', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = '<h2>Settings</h2>'
      + '<p><button role="switch" id="newsletter">Monthly newsletter</button></p>'
      + '<p><button role="switch" id="twoStep">Two-step login</button></p>'
      + '<p><label>Language <select id="language"><option>English</option><option>Norsk</option><option>Deutsch</option></select></label></p>'
      + '<p><button id="save">Save settings</button> <span role="status"></span></p>';
    const at = id => root.getElementById(id);
    for (const id of ['newsletter', 'twoStep']) {
      at(id).ariaChecked = String(now[id]);
      at(id).onclick = () => { at(id).ariaChecked = String(at(id).ariaChecked !== 'true'); };
    }
    at('language').value = now.language;
    at('save').onclick = async () => {
      const isOn = id => at(id).ariaChecked === 'true';
      await send('/preferences', { newsletter: isOn('newsletter'), twoStep: isOn('twoStep'), language: at('language').value });
      root.querySelector('[role=status]').textContent = 'Saved';
    };
  }
});
`;
