import type { FloorRatio } from '../live/floor-ratio.ts';
import type { LiveResults } from '../live/live.ts';
import type { Arrivals } from '../live/measure-first-frame.ts';
import type { Resumed, SlowViewer } from '../live/measure-slow-viewer.ts';
import { type VideoResults, videoScenes } from '../live/video/measure-video.ts';
import type { Bar } from './table.ts';

/** Fewer rounds than these draw no conclusion from a ratio to the floor. */
const roundsNeeded = 7;
const most = 1.1;
const megabytes = 10;
const slowSeconds = 20;

/** The promises of the live view, and what a run says of them. */
export function judgeLive(results: LiveResults | undefined): Bar[] {
  if (!results) return [];
  return [
    ...firstFrameBars(results),
    ...inputBar(results),
    ...rateBars(results),
    ...bytesBar(results),
    ...slowBars(results),
    ...garbageBars(results),
    ...memoryBar(results),
    ...videoBars(results.video),
  ];
}

function firstFrameBars({ firstFrame }: LiveResults): Bar[] {
  const ours = firstFrame?.ours;
  if (!ours) return [];
  return [arrivalBar('first viewer', ours.first, 150), arrivalBar('late viewer', ours.late, 100)];
}

function arrivalBar(who: string, { ms, came, of }: Arrivals, limit: number): Bar {
  return {
    what: `First frame of a static page, ${who}`,
    bar: `< ${limit} ms`,
    measured: ms
      ? `${ms.median.toFixed(0)} ms (${ms.min.toFixed(0)}-${ms.max.toFixed(0)}), ${came} of ${of} came`
      : 'never',
    pass: ms !== undefined && came === of && ms.median < limit,
  };
}

function inputBar({ input }: LiveResults): Bar[] {
  const ours = input?.ours;
  if (!ours?.againstFloor) return [];
  const { againstFloor, p50, p95, lost } = ours;
  const measured = `${ratio(againstFloor)} (p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms)${lost > 0 ? `, ${lost} lost` : ''}`;
  const pass = lost > 0 ? false : within(againstFloor);
  return [{ what: 'Input to changed frame, p50 against the floor', bar: `<= ${most}x`, measured, pass }];
}

function rateBars({ rate }: LiveResults): Bar[] {
  const counts = rate?.ours;
  if (!counts) return [];
  const received = counts['20']?.receivedAgainstFloor;
  const cpu = ['1', '20'].map(viewers => ({ viewers, cpuAgainstFloor: counts[viewers]?.cpuAgainstFloor }));
  return [
    ...(received
      ? [
          {
            what: 'Frame rate with 20 viewers, against the floor',
            bar: `>= ${(1 / most).toFixed(2)}x`,
            measured: `${ratio(received)} (${counts['20']?.received.toFixed(1)} frames/s)`,
            pass: received.rounds.length < roundsNeeded ? undefined : received.median >= 1 / most,
          },
        ]
      : []),
    ...cpu.flatMap(({ viewers, cpuAgainstFloor }) =>
      cpuAgainstFloor
        ? [
            {
              what: `Server CPU per captured frame, ${viewers} ${viewers === '1' ? 'viewer' : 'viewers'}, against the floor`,
              bar: `<= ${most}x`,
              measured: `${ratio(cpuAgainstFloor)} (${counts[viewers]?.cpuMsPerFrame.toFixed(2)} ms)`,
              pass: within(cpuAgainstFloor),
            },
          ]
        : [],
    ),
  ];
}

function bytesBar({ bytes }: LiveResults): Bar[] {
  if (!bytes) return [];
  const measured = `${bytes.ratio.toFixed(3)}x (${bytes.binary} / ${bytes.text} bytes)`;
  return [{ what: 'Bytes a frame, binary against text', bar: '<= 0.76x', measured, pass: bytes.ratio <= 0.76 }];
}

function slowBars({ slow }: LiveResults): Bar[] {
  const ours = slow?.ours;
  if (!ours) return [];
  const growth = Math.max(ours.rssGrowth, ours.bufferGrowth);
  const share = ours.rateBeside / ours.rateBefore;
  const beside = `${ours.seconds} s beside a viewer that stopped reading`;
  const fastOnes = `${share.toFixed(2)}x (${ours.rateBeside.toFixed(1)} / ${ours.rateBefore.toFixed(1)} frames/s)`;
  return [
    slowBar(ours, {
      what: `Rate of a viewer ${beside}`,
      bar: `>= ${(1 / most).toFixed(2)}x`,
      measured: fastOnes,
      pass: share >= 1 / most,
    }),
    slowBar(ours, {
      what: `Growth of the server ${beside}`,
      bar: `< ${megabytes} MB`,
      measured: `${ours.rssGrowth.toFixed(1)} MiB resident, ${ours.bufferGrowth.toFixed(1)} MiB held`,
      pass: growth * 1.048576 < megabytes,
    }),
    {
      what: 'A viewer that reads again sees the newest frame',
      bar: 'at once',
      measured: resumption(ours.resumed),
      pass: ours.resumed?.caughtUpAfter !== undefined && ours.resumed.caughtUpAfter < 1_000,
    },
  ];
}

/** A shorter time than promised can fail a bar but not reach it. */
function slowBar({ seconds }: SlowViewer, bar: Bar): Bar {
  return bar.pass && seconds < slowSeconds ? { ...bar, pass: undefined } : bar;
}

export function resumption(resumed: Resumed | undefined): string {
  if (!resumed) return 'nothing more';
  const { stale, caughtUpAfter } = resumed;
  return caughtUpAfter === undefined
    ? `not within 10 s, ${stale} old frames`
    : `after ${caughtUpAfter.toFixed(0)} ms and ${stale} old frames`;
}

function garbageBars({ garbage }: LiveResults): Bar[] {
  const ours = garbage?.ours;
  if (!ours) return [];
  const { messages, clickMs, logLines } = ours;
  return [
    {
      what: `A click right after ${messages} garbage messages, huge coordinates among them`,
      bar: '< 300 ms',
      measured: clickMs === undefined ? 'no effect' : `${clickMs.toFixed(0)} ms`,
      pass: clickMs !== undefined && clickMs < 300,
    },
    { what: 'Log lines of those', bar: '< 10', measured: String(logLines), pass: logLines < 10 },
  ];
}

function memoryBar({ memory }: LiveResults): Bar[] {
  if (!memory) return [];
  const { minutes, frames, rssBefore, rssAfter, heldGrowth } = memory;
  const growth = Math.max(rssAfter - rssBefore, heldGrowth);
  return [
    {
      what: `Server memory over ${minutes} min of animation`,
      bar: `flat: < ${megabytes} MB`,
      measured: `${(rssAfter - rssBefore).toFixed(1)} MiB resident, ${heldGrowth.toFixed(1)} MiB held, ${frames} frames`,
      pass: growth * 1.048576 < megabytes,
    },
  ];
}

const sceneBars = { animation: 0.1, typing: 0.05, scrolling: 0.15 } as const;

function videoBars(video: VideoResults | undefined): Bar[] {
  if (!video) return [];
  const { bytes, pictures, cores, input, slowLine, late, likeness, memory } = video;
  const bar = (what: string, wanted: string, measured: string, pass: boolean): Bar => ({
    what: `Video: ${what}`,
    bar: wanted,
    measured,
    pass,
  });
  return [
    ...videoScenes.map(scene => {
      const { ratio: share, video: ours, jpeg } = bytes[scene];
      const kilobytes = `${(ours / 1000).toFixed(1)} / ${(jpeg / 1000).toFixed(1)} kB`;
      if (scene === 'rest') return bar('bytes of a page at rest', '0', kilobytes, ours === 0);
      const pass = share <= sceneBars[scene];
      return bar(
        `bytes against JPEG, ${scene}`,
        `<= ${sceneBars[scene]}x`,
        `${share.toFixed(3)}x (${kilobytes})`,
        pass,
      );
    }),
    bar(
      'pictures a second, 1 viewer',
      '>= 25',
      `${pictures.video.toFixed(1)} (JPEG ${pictures.jpeg.toFixed(1)}; decoded on the same machine ${pictures.decoded.toFixed(1)})`,
      pictures.video >= 25,
    ),
    bar('pictures a second, 20 viewers', '>= 25', pictures.ofTwenty.toFixed(1), pictures.ofTwenty >= 25),
    bar(
      'processor, 25 pictures a second against JPEG at all',
      '<= 1.5x',
      `${cores.ratio.toFixed(2)}x (${cores.video.toFixed(2)} / ${cores.jpeg.toFixed(2)} cores)`,
      cores.ratio <= 1.5,
    ),
    bar(
      'input to decoded picture, p50 against the floor',
      '<= 1.8x',
      `${input.againstFloor.toFixed(2)}x (${input.video.toFixed(1)} / ${input.floor.toFixed(1)} ms; JPEG ${input.jpeg.toFixed(1)} ms)`,
      input.againstFloor <= 1.8,
    ),
    bar(
      'click to decoded picture on 1 Mbit/s, p50',
      '< 400 ms',
      `${slowLine.video.toFixed(0)} ms (JPEG ${slowLine.jpeg.toFixed(0)} ms)`,
      slowLine.video < 400,
    ),
    bar('first picture for a late viewer of a page at rest', '< 250 ms', `${late.toFixed(0)} ms`, late < 250),
    bar(
      'likeness to the page 400 ms after a change, against JPEG',
      '>= 1x',
      `${likeness.video.toFixed(4)} / ${likeness.jpeg.toFixed(4)}`,
      likeness.video >= likeness.jpeg,
    ),
    bar(
      'memory of a watched thread',
      '<= 60 MB more, all back',
      `${memory.more.toFixed(0)} MiB more, ${memory.left.toFixed(0)} MiB left${memory.strangers > 0 ? ', beside other browsers' : ''}`,
      memory.more * 1.048576 <= 60 && memory.left < 10,
    ),
  ];
}

const ratio = ({ median, rounds }: FloorRatio) => `${median.toFixed(2)}x, median of ${rounds.length} rounds`;

function within({ median, rounds }: FloorRatio): boolean | undefined {
  return rounds.length < roundsNeeded ? undefined : median <= most;
}
