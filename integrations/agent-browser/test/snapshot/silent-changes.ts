import { expect } from 'vitest';

/** On each of the pages. */
export const button = '<button>Stays</button>';

/** The first rule of the page's first style sheet; it runs in the page. */
declare function ruleOfPage(): CSSStyleRule;
export const RULE_OF_PAGE = '<script>function ruleOfPage() { return document.styleSheets[0].cssRules[0]; }</script>';

type Expectation = (tree: string) => void;

/** What a snapshot tells, a page, what its script does to it without touching its tree, and what is then told. */
export const SILENT_CHANGES: [what: string, html: string, change: () => unknown, expectation: Expectation][] = [
  [
    'a rule that was edited and hides a button',
    '<style>.go { color: red }</style><button class="go">Go</button>',
    () => ruleOfPage().style.setProperty('display', 'none'),
    (tree: string) => expect(tree).not.toContain('"Go"'),
  ],
  [
    'a rule that was edited and shows a button',
    '<style>.go { display: none }</style><button class="go">Go</button>',
    () => ruleOfPage().style.setProperty('display', 'block'),
    (tree: string) => expect(tree).toContain('button "Go"'),
  ],
  [
    'a rule that makes a button visible again',
    '<style>.go { visibility: hidden }</style><button class="go">Go</button>',
    () => ruleOfPage().style.setProperty('visibility', 'visible'),
    (tree: string) => expect(tree).toContain('button "Go"'),
  ],
  [
    'a button that has shrunk to nothing',
    '<style>.go { overflow: hidden; padding: 0; border: 0 }</style><button class="go">Go</button>',
    () => ruleOfPage().style.setProperty('height', '0'),
    (tree: string) => expect(tree).not.toContain('"Go"'),
  ],
  [
    'a box that a script checked',
    '<label><input type="checkbox">Agree</label>',
    () => {
      (document.querySelector('input') as HTMLInputElement).checked = true;
    },
    (tree: string) => expect(tree).toMatch(/checkbox "Agree" @e\d+ checked/),
  ],
  [
    'a value that a script set',
    '<input aria-label="Name">',
    () => {
      (document.querySelector('input') as HTMLInputElement).value = 'Ada';
    },
    (tree: string) => expect(tree).toContain('value="Ada"'),
  ],
  [
    'an option that a script selected',
    '<select aria-label="Size"><option>S<option>L</select>',
    () => {
      (document.querySelector('select') as HTMLSelectElement).selectedIndex = 1;
    },
    (tree: string) => expect(tree).toContain('value="L"'),
  ],
  [
    'a popover that opened',
    '<div popover><button>Inside</button></div>',
    () => (document.querySelector('[popover]') as HTMLElement).showPopover(),
    (tree: string) => expect(tree).toContain('button "Inside"'),
  ],
  [
    'a dialog that became modal',
    '<dialog aria-label="Sure?"><button>Yes</button></dialog>',
    () => (document.querySelector('dialog') as HTMLDialogElement).showModal(),
    (tree: string) => expect(tree).not.toContain('Stays'),
  ],
  [
    'the focus',
    '<input aria-label="Name">',
    () => (document.querySelector('input') as HTMLInputElement).focus(),
    (tree: string) => expect(tree).toMatch(/textbox "Name" @e\d+ focused/),
  ],
  [
    'how far the page is scrolled',
    '<div style="height: 5000px"></div>',
    () => window.scrollTo(0, 3000),
    (tree: string) => expect(tree).toMatch(/scrolled [1-9]\d*%/),
  ],
  [
    'a shadow tree that was attached to what had content',
    '<div id="host"><button>Light</button></div>',
    () => {
      const root = (document.querySelector('#host') as HTMLElement).attachShadow({ mode: 'open' });
      root.innerHTML = '<button>Shadow</button>';
    },
    (tree: string) => {
      expect(tree).toContain('button "Shadow"');
      expect(tree).not.toContain('Light');
    },
  ],
  [
    'a custom element that was defined with a closed shadow tree',
    '<x-late style="display: block; width: 100px; height: 30px"></x-late>',
    () => {
      class Late extends HTMLElement {
        constructor() {
          super();
          this.attachShadow({ mode: 'closed' }).innerHTML = '<button>Closed</button>';
        }
      }
      customElements.define('x-late', Late);
    },
    (tree: string) => expect(tree).toContain('button "Closed"'),
  ],
  [
    'a title',
    '',
    () => {
      document.title = 'Another';
    },
    (tree: string) => expect(tree).toContain('page "Another"'),
  ],
  [
    'a route that a script went to',
    '',
    () => history.pushState(null, '', '/elsewhere'),
    (tree: string) => expect(tree).toContain('/elsewhere'),
  ],
  [
    'a drawer that slid out of reach',
    '<style>nav { position: absolute; left: 0; width: 200px }</style><nav><button>Inbox</button></nav>',
    () => ruleOfPage().style.setProperty('transform', 'translateX(-400px)'),
    (tree: string) => expect(tree).not.toContain('Inbox'),
  ],
  [
    'a drawer that slid in',
    '<style>nav { position: absolute; left: 0; width: 200px; transform: translateX(-400px) }</style><nav><button>Inbox</button></nav>',
    () => ruleOfPage().style.setProperty('transform', 'none'),
    (tree: string) => expect(tree).toContain('button "Inbox"'),
  ],
  [
    'a name that a style sheet makes of a state',
    '<style>input:checked ~ button::after { content: " on" }</style><input type="checkbox" aria-label="Box"><button>Light</button>',
    () => {
      (document.querySelector('input') as HTMLInputElement).checked = true;
    },
    (tree: string) => expect(tree).toContain('button "Light on"'),
  ],
  [
    'a name that a style sheet makes of what is inside',
    '<style>section:has(:checked) button::before { content: "Un" }</style><section><input type="checkbox" aria-label="Box"><button>lock</button></section>',
    () => {
      (document.querySelector('input') as HTMLInputElement).checked = true;
    },
    (tree: string) => expect(tree).toContain('button "Unlock"'),
  ],
  [
    'generated text that a script edited',
    '<style>button.go::after { content: " now" }</style><button class="go">Go</button>',
    () => ruleOfPage().style.setProperty('content', '" later"'),
    (tree: string) => expect(tree).toContain('button "Go later"'),
  ],
  [
    'generated text that a script gave to a rule that had none',
    `<style>button.go::after { color: red }</style><button class="go">Go</button>${'<a href="#">Link</a>'.repeat(60)}`,
    () => ruleOfPage().style.setProperty('content', '" later"'),
    (tree: string) => expect(tree).toContain('button "Go later"'),
  ],
  [
    'the value of a field that is part of a name',
    '<label><input type="checkbox">Repeat <input aria-label="" size="3" value="3"> times</label>',
    () => {
      (document.querySelector('[size]') as HTMLInputElement).value = '7';
    },
    (tree: string) => expect(tree).toContain('checkbox "Repeat 7 times"'),
  ],
  [
    'a part of a name that a style sheet hides',
    '<style>i { display: inline }</style><button>Buy <i>now</i></button>',
    () => ruleOfPage().style.setProperty('display', 'none'),
    (tree: string) => expect(tree).toMatch(/button "Buy" @/),
  ],
  [
    'what a script assigned to a slot',
    `<div id="host"><button>One</button><button>Two</button></div><script>
        host.attachShadow({ mode: 'open', slotAssignment: 'manual' }).innerHTML = '<slot></slot>';
        host.shadowRoot.firstChild.assign(host.children[0]);
      </script>`,
    () => {
      const host = document.querySelector('#host') as HTMLElement;
      host.shadowRoot?.querySelector('slot')?.assign(host.children[1] as Element);
    },
    (tree: string) => {
      expect(tree).toContain('button "Two"');
      expect(tree).not.toContain('"One"');
    },
  ],
  [
    'a cursor that says that something can be clicked',
    '<style>.card { width: 100px }</style><div class="card">Open me</div>',
    () => ruleOfPage().style.setProperty('cursor', 'pointer'),
    (tree: string) => expect(tree).toContain('clickable "Open me"'),
  ],
  [
    'a text that has faded in',
    '<style>p { opacity: 0 }</style><div role="status"><p>Saved</p></div>',
    () => ruleOfPage().style.setProperty('opacity', '1'),
    (tree: string) => expect(tree).toMatch(/status "Saved"$/m),
  ],
  [
    'a text that has faded out',
    '<style>p { opacity: 1 }</style><div role="status"><p>Saved</p></div>',
    () => ruleOfPage().style.setProperty('opacity', '0'),
    (tree: string) => expect(tree).toContain('text "Saved" hidden-text'),
  ],
  [
    'a name from a hidden tree in the shadow',
    `<button aria-labelledby="label"></button><div id="label" hidden></div><script>
        label.attachShadow({ mode: 'open' }).innerHTML = '<b>Alpha</b>';
      </script>`,
    () => {
      const told = document.querySelector('#label')?.shadowRoot?.firstChild;
      if (told) told.textContent = 'Beta';
    },
    (tree: string) => expect(tree).toContain('button "Beta"'),
  ],
  [
    'a box that a script left undecided',
    '<label><input type="checkbox">All</label>',
    () => {
      (document.querySelector('input') as HTMLInputElement).indeterminate = true;
    },
    (tree: string) => expect(tree).toMatch(/checkbox "All" @e\d+ mixed/),
  ],
  [
    'a rule for what is drawn once somebody comes near',
    '<div style="height: 5000px"></div><style>.go { display: block }</style><div style="content-visibility: auto"><button class="go">Go</button></div>',
    () => ruleOfPage().style.setProperty('display', 'none'),
    (tree: string) => expect(tree).not.toContain('"Go"'),
  ],
  [
    'a style sheet of the document that was written anew',
    '<button class="go">Go</button><script>const sheet = new CSSStyleSheet(); document.adoptedStyleSheets = [sheet];</script>',
    () => document.adoptedStyleSheets[0]?.replaceSync('.go { visibility: hidden }'),
    (tree: string) => expect(tree).not.toContain('"Go"'),
  ],
  [
    'an animation that was set to another moment after its end',
    '<div class="go"><button>Go</button></div><script>const slide = document.querySelector(".go").animate({ transform: ["translateX(-4000px)", "none"] }, { duration: 1000, fill: "forwards" }); slide.finish();</script>',
    () => {
      const [slide] = document.getAnimations();
      slide?.pause();
      if (slide !== undefined) slide.currentTime = 1;
    },
    (tree: string) => expect(tree).not.toContain('"Go"'),
  ],
  [
    'a text whose colour was taken away',
    '<style>p { color: black }</style><div role="status"><p>Saved</p></div>',
    () => ruleOfPage().style.setProperty('color', 'transparent'),
    (tree: string) => expect(tree).toContain('text "Saved" hidden-text'),
  ],
  [
    'how far the box that takes most of the page is scrolled',
    '<main style="height: 90vh; overflow: auto"><div style="height: 3000px"></div></main>',
    () => document.querySelector('main')?.scrollTo(0, 1_000),
    (tree: string) => expect(tree).toContain('(scrolled 4'),
  ],
  [
    'that the box that takes most of the page does not scroll any more',
    '<style>main { overflow: auto }</style><main style="height: 90vh"><div style="height: 3000px"></div></main>',
    () => ruleOfPage().style.setProperty('overflow', 'hidden'),
    (tree: string) => expect(tree).not.toContain('pages below'),
  ],
  [
    'how long the page has become',
    '<style>.tail { height: 10px }</style><div class="tail"></div>',
    () => ruleOfPage().style.setProperty('height', '5000px'),
    (tree: string) => expect(tree).toContain('pages below'),
  ],
  [
    'that a box whose place in the middle another one took was scrolled away',
    `<div aria-hidden="true" style="position: fixed; inset: 40px 0 0; overflow: auto">
      <div style="height: 900px; overflow: auto"><div style="height: 5000px"></div></div>
      <div style="height: 1500px"></div>
    </div>`,
    () => document.querySelector('[aria-hidden]')?.scrollTo(0, 900),
    (tree: string) => expect(tree).toMatch(/\(scrolled [1-9]/),
  ],
];
