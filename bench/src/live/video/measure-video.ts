import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsPss, type Memory } from '../../measure/process-tree.ts';
import { median, round } from '../../statistics.ts';
import { mouse } from '../clicks.ts';
import { colours, type LivePages, target } from '../pages.ts';
import { type ServerProcess, withServer } from '../server-process.ts';
import { LiveViewer } from '../viewer.ts';
import { openSlowLine } from './slow-line.ts';
import { WatchingPage } from './watching-page.ts';

/** A viewer of video beside one of JPEG, each alone with the page; medians over the rounds. */
export interface VideoResults {
  rounds: number;
  /** By what the page does. */
  bytes: Record<VideoScene, Beside>;
  /** Pictures a second of an animation that one viewer gets, one of twenty, and one who decodes them on the same machine. */
  pictures: Beside & { ofTwenty: number; decoded: number };
  /** Processor cores of the whole machine: video at 25 pictures a second, JPEG at all that Chromium makes. */
  cores: Beside;
  /** Milliseconds from a press to its picture, decoded and drawn. */
  input: Beside & { floor: number; againstFloor: number };
  /** The same on a line of 1 Mbit/s with a round trip of 80 ms. */
  slowLine: Beside;
  /** Milliseconds to the first picture for a viewer who comes when others watch a page at rest. */
  late: number;
  /** Structural similarity to the page's own picture, 400 ms after the last change of a page of text. */
  likeness: Beside;
  /** MiB of all processes: with a viewer of video more than with one of JPEG, and what is left of that. */
  memory: { more: number; left: number; strangers: number };
}

/** Of viewers in either form; the ratio is video against JPEG. */
interface Beside {
  video: number;
  jpeg: number;
  ratio: number;
}

type StreamForm = 'video' | 'jpeg';
const forms = ['jpeg', 'video'] as const;
export const videoScenes = ['animation', 'typing', 'scrolling', 'rest'] as const;
type VideoScene = (typeof videoScenes)[number];

const scenePages = { animation: 'animated', typing: 'typing', scrolling: 'scrolling', rest: 'static' } as const;
/** Typing a sentence takes eight seconds, scrolling four. */
const sceneMs: Record<VideoScene, number> = { animation: 4_000, typing: 9_000, scrolling: 5_000, rest: 2_000 };
/** Until a page that was just shown rests, and its picture is sharp. */
const SETTLING_MS = 1_500;
const SHARP_AFTER_MS = 400;
const RATE_MS = 4_000;
const LINE = { bitsPerSecond: 1_000_000, roundTripMs: 80 };
const CLICK_PATIENCE_MS = 20_000;

interface VideoRun {
  pages: LivePages;
  rounds: number;
  isQuick: boolean;
}

export async function measureVideo({ pages, rounds, isQuick }: VideoRun): Promise<VideoResults> {
  const watching = await WatchingPage.open(pages.url('blank'));
  const turns = isQuick ? 1 : rounds;
  const clicks = isQuick ? 8 : 20;
  try {
    const ours = { pages, watching, turns, clicks };
    const floor = round(await floorClicks(ours));
    return await withServer('ours', async server => {
      const bytes = {} as Record<VideoScene, Beside>;
      for (const scene of videoScenes) bytes[scene] = await sceneBytes(server, scene, ours);
      const { pictures, cores } = await animation(server, ours);
      const input = await clicksInTurns(server.url, server, ours);
      return {
        ...{ rounds: turns, bytes, pictures, cores },
        input: { ...input, floor, againstFloor: round(input.video / floor) },
        slowLine: await onSlowLine(server, ours),
        late: await lateArrival(server, ours),
        likeness: await likenessOf(server, ours),
        memory: await memoryOf(server, ours),
      };
    });
  } finally {
    await watching.close();
  }
}

interface Scenery {
  pages: LivePages;
  watching: WatchingPage;
  turns: number;
  clicks: number;
}

const addressOf = (url: string, form: StreamForm, more = '') =>
  `${url}&frames=${form === 'jpeg' ? 'binary' : 'video'}${more}`;

/** Each form in turn, as often as there are rounds. */
async function interleaved(turns: number, take: (form: StreamForm) => Promise<number>): Promise<Beside> {
  const taken: Record<StreamForm, number[]> = { video: [], jpeg: [] };
  for (let turn = 0; turn < turns; turn++) for (const form of forms) taken[form].push(await take(form));
  const [video, jpeg] = [median(taken.video), median(taken.jpeg)];
  const ratios = taken.video.map((value, turn) => value / (taken.jpeg[turn] ?? Number.NaN));
  return { video: round(video, 4), jpeg: round(jpeg, 4), ratio: round(median(ratios), 4) };
}

/** Bytes of a scene; of an animation, those of a picture: the forms differ in how many they show. */
async function sceneBytes(
  server: ServerProcess,
  scene: VideoScene,
  { pages, watching, turns }: Scenery,
): Promise<Beside> {
  return interleaved(turns, async form => {
    await server.show(pages.url(scenePages[scene]));
    await watching.watch(addressOf(server.url, form));
    await watching.untilShown();
    await pause(SETTLING_MS);
    const before = await watching.seen();
    await watching.send(mouse('mousePressed', target));
    await watching.send(mouse('mouseReleased', target));
    await pause(sceneMs[scene]);
    const after = await watching.seen();
    await watching.leave();
    const bytes = after.bytes - before.bytes;
    return scene === 'animation' ? bytes / (after.pictures - before.pictures) : bytes;
  });
}

/** Of viewers who decode nothing, but for one: theirs are other machines. */
async function animation(
  server: ServerProcess,
  { pages, watching, turns }: Scenery,
): Promise<Pick<VideoResults, 'pictures' | 'cores'>> {
  await server.show(pages.url('animated'));
  const rate = async (form: StreamForm, { viewers = 1, more = '' } = {}): Promise<Rate> => {
    const open = () => LiveViewer.open(addressOf(server.url, form, more));
    const first = await open();
    const others = await Promise.all(Array.from({ length: viewers - 1 }, open));
    await pause(SETTLING_MS);
    const taken = await picturesOver(async () => first.frames);
    await Promise.all([first, ...others].map(viewer => viewer.close()));
    return taken;
  };
  const pictures = await interleaved(turns, async form => (await rate(form)).pictures);
  const cores = await interleaved(
    turns,
    async form => (await rate(form, { more: form === 'video' ? '&maxFps=25' : '&maxFps=60' })).cores,
  );
  const ofTwenty = round((await rate('video', { viewers: 20 })).pictures);
  await watching.watch(addressOf(server.url, 'video'));
  await watching.untilShown();
  await pause(SETTLING_MS);
  const decoded = round((await picturesOver(async () => (await watching.seen()).pictures)).pictures);
  await watching.leave();
  return { pictures: { ...pictures, ofTwenty, decoded }, cores };
}

interface Rate {
  pictures: number;
  cores: number;
}

async function picturesOver(count: () => Promise<number>): Promise<Rate> {
  const [busy, start, before] = [busyMs(), performance.now(), await count()];
  await pause(RATE_MS);
  const after = await count();
  const passed = performance.now() - start;
  return { pictures: ((after - before) * 1000) / passed, cores: (busyMs() - busy) / passed };
}

/** Milliseconds that the processors of the machine have worked. */
function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

async function floorClicks(scenery: Scenery): Promise<number> {
  return withServer('floor', async server => {
    await server.show(scenery.pages.url('colours'));
    return median(await clickTimes(server.url, scenery));
  });
}

async function clicksInTurns(url: string, server: ServerProcess, scenery: Scenery): Promise<Beside> {
  return interleaved(scenery.turns, async form => {
    await server.show(scenery.pages.url('colours'));
    return median(await clickTimes(addressOf(url, form), scenery));
  });
}

/** Clicks come when the picture of the last one is sharp, as a person's do. */
async function clickTimes(url: string, { watching, clicks }: Pick<Scenery, 'watching' | 'clicks'>): Promise<number[]> {
  const times: number[] = [];
  await watching.watch(url);
  if ((await watching.untilColour(colours[0], [], CLICK_PATIENCE_MS)) === undefined) throw new Error('no picture came');
  for (let click = 1; click <= clicks; click++) {
    const colour = colours[click % colours.length] ?? colours[0];
    const ms = await watching.untilColour(colour, [mouse('mousePressed', target)], CLICK_PATIENCE_MS);
    await watching.send(mouse('mouseReleased', target));
    if (ms === undefined) throw new Error('a click was never seen');
    times.push(ms);
    await pause(SHARP_AFTER_MS + Math.random() * 32);
  }
  await watching.leave();
  return times;
}

/** Text around the colour is what a line has to carry: a page of one colour would cost no form anything. */
async function onSlowLine(server: ServerProcess, { watching, pages }: Scenery): Promise<Beside> {
  const line = await openSlowLine(server.url, LINE);
  try {
    return await interleaved(1, async form => {
      await server.show(pages.url('signal'));
      return median(await clickTimes(line.through(addressOf(server.url, form)), { watching, clicks: 10 }));
    });
  } finally {
    await line.close();
  }
}

async function lateArrival(server: ServerProcess, { pages, watching, turns }: Scenery): Promise<number> {
  await server.show(pages.url('static'));
  const first = await LiveViewer.open(addressOf(server.url, 'video'));
  const times: number[] = [];
  for (let turn = 0; turn < Math.max(turns, 5); turn++) {
    await pause(SETTLING_MS);
    await watching.watch(addressOf(server.url, 'video'));
    times.push((await watching.untilShown()).firstAfter ?? Number.NaN);
    await watching.leave();
  }
  await first.close();
  return round(median(times));
}

async function likenessOf(server: ServerProcess, { pages, watching, turns }: Scenery): Promise<Beside> {
  return interleaved(turns, async form => {
    await server.show(pages.url('scrolling'));
    await watching.watch(addressOf(server.url, form));
    await watching.untilShown();
    await watching.send(mouse('mousePressed', target));
    await watching.send(mouse('mouseReleased', target));
    // The last notch, what Chromium takes to smooth it, and what a viewer may wait for.
    await pause(4_000 + 300 + SHARP_AFTER_MS);
    const like = await watching.likeness(await server.picture());
    await watching.leave();
    return like;
  });
}

/** Medians of some readings: Chromium's memory comes and goes. */
async function memoryOf(server: ServerProcess, { pages, watching }: Scenery): Promise<VideoResults['memory']> {
  await server.show(pages.url('animated'));
  const watchedBy = async (form: StreamForm): Promise<Memory> => {
    const others = await LiveViewer.open(addressOf(server.url, form));
    await pause(4_000);
    const readings: Memory[] = [];
    for (let reading = 0; reading < 5; reading++) {
      await pause(300);
      readings.push(await descendantsPss());
    }
    await others.close();
    await pause(1_500);
    const middle = median(readings.map(({ mebibytes }) => mebibytes));
    return { ...(readings[0] as Memory), mebibytes: middle };
  };
  await watching.leave();
  const before = await watchedBy('jpeg');
  const video = await watchedBy('video');
  const after = await watchedBy('jpeg');
  return {
    more: round(video.mebibytes - before.mebibytes),
    left: round(after.mebibytes - before.mebibytes),
    strangers: video.strangers,
  };
}
