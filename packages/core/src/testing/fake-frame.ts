import type { ScreencastFrame } from '../browser-toolset-like.js';

/** A grey JPEG of 16 by 9 pixels. */
const GREY_JPEG = [
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI//////////////////////////////////////////',
  '//////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAJAB',
  'ADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQR',
  'AQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AKAD/9k=',
].join('');

export const FAKE_FRAME: ScreencastFrame = { data: GREY_JPEG, viewport: { width: 1280, height: 720 } };
