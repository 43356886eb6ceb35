/**
 * Every way that a page has to make a request, as a page that uses them all. Each asks `target` for a path that names it.
 * `home` is the page's own site, which redirects `/to?url=` and serves what workers run.
 */
export function everyWay(target: string): string {
  const { host } = new URL(target);
  return `<!doctype html><title>Every way</title>
<link rel="icon" href="${target}/favicon">
<link rel="preconnect" href="${target}">
<link rel="dns-prefetch" href="${target}">
<link rel="prefetch" href="${target}/prefetch">
<link rel="preload" as="image" href="${target}/preload">
<link rel="modulepreload" href="${target}/modulepreload">
<link rel="manifest" href="${target}/manifest">
<link rel="stylesheet" href="${target}/stylesheet">
<style>@import "${target}/css-import"; #box { background: url("${target}/css-image"); width: 9px; height: 9px }
@font-face { font-family: far; src: url("${target}/font") } #box { font-family: far }</style>
<script type="speculationrules">{"prefetch":[{"urls":["${target}/speculation-prefetch"],"eagerness":"immediate"}],
"prerender":[{"urls":["${target}/speculation-prerender"],"eagerness":"immediate"}]}</script>
<script src="${target}/script"></script>
<script type="module">import("${target}/module").catch(() => {})</script>
<div id="box">x</div>
<img src="${target}/img"><img src="/to?url=${target}/img-redirect"><picture><source srcset="${target}/srcset"><img></picture>
<svg><image href="${target}/svg-image" /><use href="${target}/svg-use#a" /></svg>
<video src="${target}/video" preload="auto" poster="${target}/poster"></video><audio src="${target}/audio" preload="auto"></audio>
<iframe src="${target}/frame"></iframe><iframe src="/to?url=${target}/frame-redirect"></iframe>
<iframe srcdoc="<img src='${target}/srcdoc'>"></iframe>
<iframe src="data:text/html,<img src='${target}/data-frame'>"></iframe>
<object data="${target}/object"></object><embed src="${target}/embed">
<iframe name="away"></iframe>
<form id="get" action="${target}/form-get" target="away"></form>
<iframe name="away2"></iframe><form id="post" method="post" action="${target}/form-post" target="away2"><input name="a" value="b"></form>
<iframe name="away3"></iframe><a id="ping" href="about:blank" target="away3" ping="${target}/ping">ping</a>
<iframe name="away4"></iframe><a id="get-it" download href="${target}/download" target="away4">download</a>
<script>
const quiet = () => {};
const later = [];
const go = (name, how) => later.push(Promise.resolve().then(how).catch(quiet));
go('fetch', () => fetch('${target}/fetch', { mode: 'no-cors' }));
go('fetch-post', () => fetch('${target}/fetch-post', { method: 'POST', mode: 'no-cors', body: 'x' }));
go('keepalive', () => fetch('${target}/keepalive', { mode: 'no-cors', keepalive: true }));
go('fetch-redirect', () => fetch('/to?url=${target}/fetch-redirect', { mode: 'no-cors' }));
go('userinfo', () => fetch('/to?url=http://127.0.0.1@${host}/userinfo', { mode: 'no-cors' }));
go('xhr', () => new Promise(done => { const x = new XMLHttpRequest(); x.onloadend = done; x.open('GET', '${target}/xhr'); x.send(); }));
go('beacon', () => navigator.sendBeacon('${target}/beacon', 'x'));
go('event-source', () => new Promise(done => { const e = new EventSource('${target}/event-source'); e.onerror = () => { e.close(); done(); }; }));
go('web-socket', () => new Promise(done => { const w = new WebSocket('ws://${host}/web-socket'); w.onerror = w.onopen = done; }));
go('web-transport', () => new WebTransport('https://${host}/web-transport').ready);
go('worker', () => new Promise(done => { const w = new Worker('/worker.js'); w.onmessage = done; }));
go('blob-worker', () => new Promise(done => {
  const w = new Worker(URL.createObjectURL(new Blob(["fetch('${target}/blob-worker',{mode:'no-cors'}).catch(()=>0).then(()=>postMessage(1))"])));
  w.onmessage = done; }));
go('shared-worker', () => new Promise(done => { const w = new SharedWorker('/shared-worker.js'); w.port.onmessage = done; }));
go('service-worker', async () => {
  await navigator.serviceWorker.register('/service-worker.js');
  const { active } = await navigator.serviceWorker.ready;
  await new Promise(done => { navigator.serviceWorker.onmessage = done; active.postMessage(1); });
});
go('late', () => 'fetchLater' in self && fetchLater('${target}/fetch-later', { activateAfter: 0 }));
go('popup', () => { open('${target}/popup'); });
go('stylesheet-import', () => { const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = '/style.css'; document.head.append(l); });
go('rtc', async () => {
  const [name, port] = '${host}'.split(':');
  const servers = ['stun:' + name + ':' + port, 'turn:' + name + ':' + port + '?transport=udp', 'turn:' + name + ':' + port + '?transport=tcp'];
  const c = new RTCPeerConnection({ iceServers: servers.map(urls => ({ urls, username: 'u', credential: 'c' })) });
  c.createDataChannel('x');
  await c.setLocalDescription(await c.createOffer());
  await new Promise(done => { c.onicegatheringstatechange = () => c.iceGatheringState === 'complete' && done(); setTimeout(done, 3000); });
});
get.submit(); post.submit(); ping.click(); document.getElementById('get-it').click();
Promise.all(later).then(() => { document.title = 'All tried'; });
</script>`;
}

export const WORKERS = (target: string): Record<string, string> => ({
  '/worker.js': `try { importScripts('${target}/import-scripts') } catch {} fetch('${target}/worker', { mode: 'no-cors' }).catch(() => 0).then(() => postMessage(1))`,
  '/shared-worker.js': `onconnect = ({ ports: [port] }) => fetch('${target}/shared-worker', { mode: 'no-cors' }).catch(() => 0).then(() => port.postMessage(1))`,
  '/service-worker.js': `oninstall = () => skipWaiting(); onactivate = event => event.waitUntil(clients.claim());
onmessage = ({ source }) => fetch('${target}/service-worker', { mode: 'no-cors' }).catch(() => 0).then(() => source.postMessage(1))`,
});

/** The ways that a server sees used when nothing is blocked; the others depend on what a machine has. */
export const SEEN_WHEN_OPEN = [
  ...[
    'favicon',
    'prefetch',
    'preload',
    'modulepreload',
    'stylesheet',
    'css-import',
    'css-image',
    'font',
    'script',
    'module',
  ],
  ...[
    'img',
    'img-redirect',
    'srcset',
    'svg-image',
    'video',
    'poster',
    'audio',
    'frame',
    'frame-redirect',
    'srcdoc',
    'data-frame',
  ],
  ...[
    'object',
    'embed',
    'form-get',
    'form-post',
    'ping',
    'download',
    'fetch',
    'fetch-post',
    'keepalive',
    'fetch-redirect',
  ],
  ...['xhr', 'beacon', 'event-source', 'web-socket', 'worker', 'import-scripts', 'blob-worker', 'shared-worker'],
  ...['service-worker', 'popup'],
];
