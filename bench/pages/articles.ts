import { parseHTML } from 'linkedom';
import { savedFile } from './saved.ts';

/**
 * Saved articles of `htmlparser-benchmark` by the first digits of the file's name, and what in their markup is the text of
 * the article: its paragraphs and nothing else. Sites name them; each was looked at.
 */
export const articles: Readonly<Record<string, string>> = {
  '4776d064': 'p[itemprop=articleBody]',
  '257b3c0e': 'p[itemprop=articleBody]',
  '7e91eb56': 'p[itemprop=articleBody]',
  c076ffd4: 'p[itemprop=articleBody]',
  '204684f6': '.story-body > p',
  e403c2aa: '.story-body > p',
  '46ab3243': '.story-body > p',
  '25560409': '#storyText p',
  '83940e65': '#storyText p',
  '40d4e504': '#story-body-text p',
  '783f9f0f': '#story-body-text p',
  bf6c2f1c: '#article-body-blocks p',
  '40957335': '.entry p, .entry-content p',
  '4bf8e536': '#articleText p',
  '91c28620': '#articleText p',
  '61d8052b': '#article_body p',
  '64bf40da': '.story_body p',
  '9f2031ee': '.article-body p',
  b7660c4d: '.blog-post-body',
  '72e78dee': '.entry-content p',
  '45b6063a': '.articleText p',
  '46ed1077': '.post-content p',
  '20f19558': '.post-content p',
};

/** The text of an article, as its markup has it. */
export function articleText(file: string): string {
  const { document } = parseHTML(savedFile(file).toString('utf8'));
  const paragraphs = [...document.querySelectorAll(articles[file] ?? 'none')];
  return paragraphs.map(paragraph => paragraph.textContent ?? '').join('\n');
}
