import { Model } from 'survey-core';
import { renderSurvey } from 'survey-js-ui';
import 'survey-core/survey-core.fontless.css';

const survey = new Model({
  title: 'Your visit',
  pages: [
    {
      elements: [
        { type: 'rating', name: 'food', title: 'How was the food?', rateMax: 5 },
        {
          type: 'checkbox',
          name: 'seen',
          title: 'What did you see?',
          choices: ['Museum', 'Garden', 'Tower'],
          isRequired: true,
        },
      ],
    },
    {
      elements: [
        { type: 'ranking', name: 'order', title: 'What matters most?', choices: ['Price', 'Quiet', 'View'] },
        { type: 'comment', name: 'more', title: 'Anything else?' },
      ],
    },
  ],
});
renderSurvey(survey, document.querySelector('#app'));
window.state = () => ({ state: survey.state, ...survey.data });
