import { step } from '@browser-toolset/playground/dist/scripted-model/index.js';
import { type Reviews, reviewSite } from '../sites/reviews.ts';
import { serveSite } from '../sites/site.ts';
import { differences, tasksOn } from '../suite/own-task.ts';
import { answer, end, type } from '../suite/script-steps.ts';

const reviewsBefore = reviewSite.newState();

export const reviewTasks = tasksOn<Reviews>('reviews', () => serveSite(reviewSite), [
  {
    id: 'reviews-count-one-star',
    level: 'medium',
    goal: 'How many of the reviews give one star?',
    answer: { form: 'the number', expected: ({ reviews }) => reviews.filter(({ stars }) => stars === 1).length },
    problems: state => differences('reviews', state, reviewsBefore),
    script: [
      step('I read the reviews.', 'browser_read', () => ({ full: true })),
      answer(view => String(view.find(/([\s\S]*)/).match(/\b1 of 5 stars/g)?.length ?? 0)),
    ],
  },
  {
    id: 'reviews-reply',
    level: 'medium',
    goal: 'One customer asks what she can do because something broke. Reply to her with exactly this text: Please send it back, you get a new one.',
    problems: state =>
      differences('reviews', state, {
        ...reviewsBefore,
        reviews: reviewsBefore.reviews.map(review =>
          review.author === 'Greta' ? { ...review, replies: ['Please send it back, you get a new one.'] } : review,
        ),
      }),
    script: [
      type('textbox', 'Reply to Greta', 'Please send it back, you get a new one.', { submit: true }),
      end('She has a reply.'),
    ],
  },
]);
