import { createServer } from 'node:http';
import { listenOnLoopback, stopListening } from './listening.ts';

type LivePageName = keyof typeof pages;

export interface LivePages {
  url(name: LivePageName): string;
  close(): Promise<void>;
}

/** Colours that are told apart in a JPEG of any quality. */
export const colours = [
  [230, 57, 70],
  [42, 157, 143],
  [38, 70, 83],
  [244, 200, 90],
] as const;

/** Where the colour page takes a press: in CSS pixels of the viewport. Presses elsewhere change nothing. */
export const target = { x: 640, y: 360, radius: 40 } as const;

const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><style>* { margin: 0 }</style>';

const rgb = (colour: readonly number[]) => `rgb(${colour.join(' ')})`;

const paragraphs = Array.from(
  { length: 24 },
  (_, index) =>
    `<p><b>Order ${4_000 + index * 37}</b> was packed at gate ${index % 7} and waits for the ${8 + (index % 9)} o'clock van.</p>`,
).join('');

const styled = '<style>body { font: 16px/1.8 sans-serif; padding: 16px; color: #1d232b; background: #fff }</style>';

/** Begins what a page does when it is pressed at the target. */
const onPress = (act: string) => `<script>
    addEventListener('mousedown', ({ clientX, clientY }) => {
      if (Math.hypot(clientX - ${target.x}, clientY - ${target.y}) <= ${target.radius}) (${act})();
    });
  </script>`;

const sentence = 'Please send the second van to gate four, and tell the driver to ring twice.';

const pages = {
  blank: '<title>Blank</title>',
  static: `<title>Static</title>${styled}<h1>Nothing moves here</h1>${paragraphs}`,
  colours: `<title>Colours</title><body style="background: ${rgb(colours[0])}"><script>
    const colours = ${JSON.stringify(colours.map(rgb))};
    let presses = 0;
    addEventListener('mousedown', ({ clientX, clientY }) => {
      if (Math.hypot(clientX - ${target.x}, clientY - ${target.y}) > ${target.radius}) return;
      document.body.style.background = colours[++presses % colours.length];
    });
  </script>`,
  // Text around what a press changes: a picture of all costs a line what usual pages do.
  signal: `<title>Signal</title>${styled}<style>
      i { position: fixed; left: 540px; top: 260px; width: 200px; height: 200px; background: ${rgb(colours[0])} }
    </style>${paragraphs}<i></i><script>let presses = 0</script>${onPress(`() => {
    document.querySelector('i').style.background = ${JSON.stringify(colours.map(rgb))}[++presses % ${colours.length}];
  }`)}`,
  // A person types ten letters a second.
  typing: `<title>Typing</title>${styled}<h1>Note to the driver</h1><textarea cols="60" rows="4"></textarea>${paragraphs}${onPress(`() => {
    const field = document.querySelector('textarea');
    const letters = [...${JSON.stringify(sentence)}];
    const typing = setInterval(() => {
      field.value += letters.shift() ?? '';
      if (letters.length === 0) clearInterval(typing);
    }, 100);
  }`)}`,
  // A person turns the wheel a notch every 100 ms, which Chromium smooths.
  scrolling: `<title>Scrolling</title>${styled}<h1>All orders</h1>${paragraphs.repeat(6)}${onPress(`() => {
    let notches = 40;
    const scrolling = setInterval(() => {
      scrollBy({ top: 100, behavior: 'smooth' });
      if (--notches === 0) clearInterval(scrolling);
    }, 100);
  }`)}`,
  // A chart and a few marks that move over text: every frame differs from all others, and is as large as those of usual pages.
  animated: `<title>Animated</title>${styled}<style>
      canvas { position: fixed; inset: 0 } p { break-inside: avoid } main { columns: 2 }
    </style><main><h1>Vans on the road</h1>${paragraphs}</main><canvas width="1280" height="720"></canvas><script>
    const canvas = document.querySelector('canvas').getContext('2d');
    let frame = 0;
    const paint = () => {
      frame += 1;
      canvas.clearRect(0, 0, 1280, 720);
      for (let van = 0; van < 24; van++) {
        const x = 640 + 600 * Math.sin(frame / 40 + van * 1.7);
        const y = 360 + 330 * Math.cos(frame / 55 + van * 2.3);
        canvas.fillStyle = 'hsl(' + (van * 15 + frame) % 360 + ' 70% 55%)';
        canvas.fillRect(x, y, 44, 26);
        canvas.fillText('van ' + van + ' at ' + frame, x, y - 6);
      }
      requestAnimationFrame(paint);
    };
    paint();
  </script>`,
} as const;

/** Serves the pages that the live view is measured on. */
export async function serveLivePages(): Promise<LivePages> {
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    if (!isPage(name)) return response.writeHead(404).end();
    response.setHeader('cache-control', 'no-store');
    return response.setHeader('content-type', 'text/html; charset=utf-8').end(`${head}${pages[name]}`);
  });
  const port = await listenOnLoopback(server);
  return { url: name => `http://127.0.0.1:${port}/${name}`, close: () => stopListening(server) };
}

function isPage(name: string): name is LivePageName {
  return Object.hasOwn(pages, name);
}
