import { money } from './money.js';
import type { Order } from './orders.js';

interface Line {
  readonly text: string;
  readonly size: number;
  readonly x: number;
  readonly y: number;
}

const LEFT = 56;
const RIGHT = 470;

/** A one-page PDF 1.4 document (ISO 32000-1, section 7.5): four objects, a cross-reference table and a trailer. */
export function invoicePdf(order: Order): Buffer<ArrayBuffer> {
  const content = invoiceLines(order).map(draw).join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${body}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}

function invoiceLines(order: Order): Line[] {
  const { street, postalCode, city, country } = order.address;
  const rows = [
    ...order.lines.map(line => [`${line.quantity} x ${line.name}`, money(line.total)]),
    [`Shipping: ${order.shipping.name}`, money(order.shipping.price)],
    ['Total', money(order.total)],
  ];
  const head = [order.name, street, `${postalCode} ${city}`, country, order.email];
  return [
    { text: 'Harbor & Oak', size: 24, x: LEFT, y: 770 },
    { text: `Invoice ${order.number}`, size: 14, x: LEFT, y: 742 },
    { text: order.placedAt.toISOString().slice(0, 10), size: 11, x: RIGHT, y: 742 },
    ...head.map((text, index) => ({ text, size: 11, x: LEFT, y: 704 - index * 16 })),
    ...rows.flatMap(([label = '', amount = ''], index) => [
      { text: label, size: 11, x: LEFT, y: 596 - index * 20 },
      { text: amount, size: 11, x: RIGHT, y: 596 - index * 20 },
    ]),
    { text: `Paid by card ending in ${order.cardLastFour}`, size: 11, x: LEFT, y: 576 - rows.length * 20 },
  ];
}

function draw({ text, size, x, y }: Line): string {
  // The font's encoding has one byte a character; what lies outside it prints as a question mark.
  const printable = text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').replace(/[\\()]/g, '\\$&');
  return `BT /F1 ${size} Tf ${x} ${y} Td (${printable}) Tj ET`;
}
