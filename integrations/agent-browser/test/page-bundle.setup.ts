// Sources under test import the page engine as a generated constant: it has to be that of the present src/page.
export { bundlePage as setup } from '../scripts/bundle-page.mjs';
