/** What a page does to itself. Each runs in the page, with elements that chance has chosen. */
export const PAGE_CHANGES: Readonly<Record<string, (element: HTMLElement, other: HTMLElement) => void>> = {
  'an element was appended': element => {
    const added = document.createElement('button');
    added.textContent = 'Added';
    element.append(added);
  },
  'a text was changed': element => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    if (text) text.nodeValue = `${text.nodeValue} (changed)`;
    else element.append('changed');
  },
  'an element was removed': element => element.remove(),
  'an element was moved': (element, other) => {
    if (!element.contains(other)) other.append(element);
  },
  'a class came that a sheet hides': element => {
    const sheet = document.createElement('style');
    sheet.textContent = '.was-hidden { display: none !important }';
    document.head.append(sheet);
    element.classList.add('was-hidden');
  },
  'a name was given': element => element.setAttribute('aria-label', 'Renamed'),
  'a state was set': element => element.setAttribute('aria-expanded', 'true'),
  'an element was made invisible': element => element.style.setProperty('visibility', 'hidden'),
  'an element was shifted': element => element.style.setProperty('transform', 'translateX(-3000px)'),
  'all was scrolled': () => scrollTo(0, document.documentElement.scrollHeight / 3),
  'a value was set': element => {
    const field = element.querySelector('input') ?? document.querySelector('input');
    if (field) field.value = 'Ada';
  },
};
