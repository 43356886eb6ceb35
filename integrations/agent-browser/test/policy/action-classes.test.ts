import { describe, expect, it } from 'vitest';
import { classesOfPress } from '../../src/policy/approval.js';

describe('what a press looks like', () => {
  it.each([
    ['Pay now', ['pay']],
    ['Jetzt kaufen', ['pay']],
    ['Zahlungspflichtig bestellen', ['pay']],
    ['Payer 20 €', ['pay']],
    ['Ødelegge', []],
    ['Zapłać', ['pay']],
    ['Оплатить', ['pay']],
    ['立即支付', ['pay']],
    ['お支払いへ進む', ['pay']],
    ['결제하기', ['pay']],
    ['ادفع الآن', ['pay']],
    ['Delete', ['delete']],
    ['Löschen', ['delete']],
    ['Supprimer', ['delete']],
    ['Удалить', ['delete']],
    ['删除', ['delete']],
    ['Slett', ['delete']],
    ['Send', ['submit']],
    ['Speichern', ['submit']],
    ['Confirm payment', ['submit', 'pay']],
    ['Download PDF', ['download']],
    ['Display settings', []],
    ['Home', []],
    ['Next', []],
    ['Paypal', ['pay']],
  ])('%s: %j', (name, classes) => expect(classesOfPress({ role: 'button', name })).toEqual(classes));

  it('is told by what the browser does, by the id where there is no name, and by where it is', () => {
    expect(classesOfPress({ role: 'button', name: 'Go', does: 'submit' })).toEqual(['submit']);
    expect(classesOfPress({ role: 'link', name: 'File', does: 'download' })).toEqual(['download']);
    expect(classesOfPress({ role: 'button', name: '×', domId: 'deleteRow-3' })).toEqual(['delete']);
    expect(classesOfPress({ role: 'button', name: 'Go', does: 'submit' }, 'https://shop.test/checkout')).toEqual([
      'submit',
      'pay',
    ]);
    expect(classesOfPress({ role: 'button', name: 'Choose', does: 'upload' })).toEqual(['upload']);
    expect(classesOfPress({ role: 'textbox', name: 'Reason to delete' })).toEqual([]);
  });
});
