import { readFile } from 'node:fs/promises';
import { BufferSource, Input, WEBM } from 'mediabunny';
import type { JSHandle } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { plainChromium } from '../shared-chromium.js';

export interface VideoFacts {
  /** Seconds, as the file says it; Infinity where it says none: a player finds a length in time, sooner or later. */
  duration: number;
  width: number;
  height: number;
}

/** Opens a video as a person's browser does, for the time of the test. */
export async function openVideo(path: string): Promise<PlayedVideo> {
  const page = await (await plainChromium()).newPage();
  onTestFinished(() => page.close());
  const file = await readFile(path);
  const video = await page.evaluateHandle(async data => {
    const video = document.createElement('video');
    const failed = new Promise<never>((_, reject) => {
      video.addEventListener('error', () => reject(new Error(video.error?.message)));
    });
    const shown = new Promise(resolve => video.requestVideoFrameCallback(resolve));
    video.src = URL.createObjectURL(await (await fetch(`data:video/webm;base64,${data}`)).blob());
    await Promise.race([shown, failed]);
    return video;
  }, file.toString('base64'));
  const { width, height } = await video.evaluate(({ videoWidth, videoHeight }) => ({
    width: videoWidth,
    height: videoHeight,
  }));
  return new PlayedVideo(video, { duration: await writtenDuration(file), width, height });
}

async function writtenDuration(file: Uint8Array): Promise<number> {
  using input = new Input({ source: new BufferSource(file), formats: [WEBM] });
  return (await input.getDurationFromMetadata()) ?? Number.POSITIVE_INFINITY;
}

export class PlayedVideo {
  constructor(
    readonly video: JSHandle<HTMLVideoElement>,
    readonly facts: VideoFacts,
  ) {}

  /** Plays it, sixteen times as fast; answers with the time at its end in seconds. */
  playThrough(): Promise<number> {
    return this.video.evaluate(async video => {
      video.muted = true;
      video.playbackRate = 16;
      const ended = new Promise(resolve => video.addEventListener('ended', resolve));
      await video.play();
      await ended;
      return video.currentTime;
    });
  }

  /** The share of each colour, red, green and blue, 0 to 255, in the picture at a time in seconds. */
  async shares(seconds: number, colours: readonly Colour[]): Promise<number[]> {
    return (await this.#at(seconds, colours)).shares;
  }

  /** The share of each colour in the last picture. */
  sharesAtEnd(colours: readonly Colour[]): Promise<number[]> {
    return this.shares(this.facts.duration - 0.01, colours);
  }

  /** The share of each colour in the last picture of a file that has no length yet. */
  sharesSoFar(colours: readonly Colour[]): Promise<number[]> {
    return this.shares(Number.MAX_SAFE_INTEGER, colours);
  }

  /** Pictures at even times from the beginning to the end, PNG in base64. */
  async pictures(interval: number): Promise<string[]> {
    const pictures: string[] = [];
    for (let seconds = 0; seconds < this.facts.duration; seconds += interval)
      pictures.push(await this.picture(seconds));
    return pictures;
  }

  /** The picture at a time in seconds, PNG in base64. */
  async picture(seconds: number): Promise<string> {
    return (await this.#at(seconds, [])).png;
  }

  async #at(seconds: number, colours: readonly Colour[]): Promise<{ shares: number[]; png: string }> {
    await this.video.evaluate(async (video, seconds) => {
      // Chromium keeps whole microseconds, and shows nothing anew for a seek to where it is.
      if (Math.abs(video.currentTime - seconds) < 1e-5) return;
      const sought = new Promise(resolve => video.addEventListener('seeked', resolve, { once: true }));
      // On a busy machine the picture comes later than the event: a canvas would get the one before.
      const shown = new Promise(resolve => video.requestVideoFrameCallback(resolve));
      video.currentTime = seconds;
      await Promise.all([sought, shown]);
    }, seconds);
    return this.#read(colours);
  }

  #read(colours: readonly Colour[]): Promise<{ shares: number[]; png: string }> {
    return this.video.evaluate(
      (video, colours) => {
        const canvas = document.createElement('canvas');
        canvas.width = video.videoWidth;
        canvas.height = video.videoHeight;
        const context = canvas.getContext('2d');
        if (context === null) throw new Error('no canvas');
        context.drawImage(video, 0, 0);
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        const counts = colours.map(() => 0);
        for (let at = 0; at < data.length; at += 4)
          for (const [index, colour] of colours.entries())
            if (colour.every((value, channel) => Math.abs((data[at + channel] ?? 0) - value) < 40))
              counts[index] = (counts[index] ?? 0) + 1;
        const pixels = canvas.width * canvas.height;
        const png = canvas.toDataURL('image/png').split(',')[1] ?? '';
        return { shares: counts.map(count => count / pixels), png };
      },
      colours.map(colour => [...colour]),
    );
  }
}

export type Colour = readonly [red: number, green: number, blue: number];
