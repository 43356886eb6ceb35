import * as CookieConsent from 'vanilla-cookieconsent';
import 'vanilla-cookieconsent/dist/cookieconsent.css';

document.querySelector('#app').innerHTML = '<h1>News of the valley</h1> <p>The bridge is open again.</p>';
CookieConsent.run({
  hideFromBots: false,
  categories: { necessary: { enabled: true, readOnly: true }, statistics: {}, advertising: {} },
  language: {
    default: 'en',
    translations: {
      en: {
        consentModal: {
          title: 'Cookies',
          description: 'This site uses cookies.',
          acceptAllBtn: 'Accept all',
          acceptNecessaryBtn: 'Only necessary',
          showPreferencesBtn: 'Choose',
        },
        preferencesModal: {
          title: 'Which cookies',
          acceptAllBtn: 'Accept all',
          acceptNecessaryBtn: 'Only necessary',
          savePreferencesBtn: 'Save choice',
          closeIconLabel: 'Close',
          sections: [
            { title: 'Necessary', description: 'The site needs them.', linkedCategory: 'necessary' },
            { title: 'Statistics', description: 'How many read us.', linkedCategory: 'statistics' },
            { title: 'Advertising', description: 'What others sell.', linkedCategory: 'advertising' },
          ],
        },
      },
    },
  },
});
window.state = () => CookieConsent.getCookie('categories');
