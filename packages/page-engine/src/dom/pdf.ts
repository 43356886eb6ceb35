import { getAttribute, objectDocument, tagName } from './dom.js';

export const PDF_ROLE = 'pdf';
/** Elements that may show a PDF. */
export const PDF_HOLDERS = new Set(['BODY', 'EMBED', 'OBJECT']);
const PDF_TYPE = 'application/pdf';
const PDF_PATH = /\.pdf$/i;

/** The address of the PDF that an element shows: the body of Chromium's own document for one, or what embeds one. */
export function pdfUrlOf(element: Element, tag = tagName(element)): string | undefined {
  if (tag === 'BODY') return document.contentType === PDF_TYPE ? location.href : undefined;
  const attribute = tag === 'EMBED' ? 'src' : tag === 'OBJECT' && objectDocument(element) === null ? 'data' : undefined;
  const address = attribute === undefined ? null : getAttribute(element, attribute);
  if (!address || !URL.canParse(address, document.baseURI)) return undefined;
  const url = new URL(address, document.baseURI);
  const type = getAttribute(element, 'type');
  return (type === null ? PDF_PATH.test(url.pathname) : type.toLowerCase() === PDF_TYPE) ? url.href : undefined;
}

/** The file name in the address of a PDF; '' where there is none. */
export function pdfName(url: string): string {
  const { protocol, pathname } = new URL(url);
  const name = /^(?:https?|file):$/.test(protocol) ? pathname.slice(pathname.lastIndexOf('/') + 1) : '';
  try {
    return decodeURIComponent(name);
  } catch {
    // It is no encoded text: it stands as it is.
    return name;
  }
}
