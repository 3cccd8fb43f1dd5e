// Saves the run as a WebM video, frame by frame: each picture is drawn and encoded (WebCodecs), however long it takes,
// and has its exact time.
import { byId, element } from './dom.js';
import { isHeardAt } from './sound.js';
import { webm } from './webm.js';

const keyEvery = 2; // s between pictures that stand alone
const bitsOfPixel = 0.12; // a picture
const mostQueued = 4; // pictures
const soundRate = 48000; // of Opus
const soundBits = 128_000; // a second

// Encoders by name, as WebCodecs and as WebM call them; the first that the browser has.
const codecs = [
  ['vp09.00.41.08', 'V_VP9'],
  ['vp8', 'V_VP8'],
];

async function codecFor(size) {
  if (!window.VideoEncoder) throw new Error('This browser cannot encode videos (WebCodecs); use: sinew render');
  for (const [codec, name] of codecs) {
    const config = { codec, ...size, latencyMode: 'quality' };
    const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
    if (supported) return { config, name };
  }
  throw new Error(`This browser cannot encode a video of ${size.width} × ${size.height}`);
}

// The frame that is shown at each picture: the last that is not later.
export function framesOf(times, speed, fps) {
  const count = Math.max(1, Math.floor(((times.at(-1) - times[0]) / speed) * fps + 1e-6) + 1);
  let frame = 0;
  return Array.from({ length: count }, (_, k) => {
    while (frame + 1 < times.length && times[frame + 1] <= times[0] + (k * speed) / fps + 1e-9) ++frame;
    return frame;
  });
}

export class VideoMaker {
  constructor(run, stage, player, store, sound) {
    Object.assign(this, { run, stage, player, store, sound });
  }

  // {width, height, fps, speed}; told(share) after each picture. Resolves with a Blob, or null where it was stopped.
  async make({ width, height, fps, speed }, told) {
    const { config, name } = await codecFor({ width, height });
    this.stopped = false;
    const blocks = [];
    let failure = null;
    const encoder = new VideoEncoder({
      output: (chunk) => blocks.push(this.block(chunk, 1)),
      error: (error) => {
        failure = error;
      },
    });
    encoder.configure({ ...config, framerate: fps, bitrate: Math.round(bitsOfPixel * width * height * fps) });
    const frames = framesOf(this.player.times, speed, fps);
    const heard = this.sound?.run.sound && isHeardAt(speed) ? await this.encodedSound(speed, blocks) : null;
    const tail = heard ? Math.max(0, Math.ceil(heard.seconds * fps) - frames.length) : 0; // the end rings out
    const all = [...frames, ...new Array(tail).fill(frames.at(-1))];
    const { frame: before } = this.store.state;
    this.store.set({ playing: false });
    this.stage.setExactly(width, height, 1);
    try {
      for (const [k, frame] of all.entries()) {
        if (this.stopped || failure) break;
        if (frame !== all[k - 1]) await this.player.goto(frame);
        this.stage.render(!this.stage.picture.software);
        const time = Math.round((1e6 * k) / fps);
        const picture = new VideoFrame(this.stage.canvas, { timestamp: time, duration: Math.round(1e6 / fps) });
        encoder.encode(picture, { keyFrame: k % (keyEvery * fps) === 0 });
        picture.close();
        while (encoder.encodeQueueSize > mostQueued) await new Promise((resolve) => setTimeout(resolve, 1));
        told((k + 1) / all.length);
        if (k % 8 === 0) await new Promise((resolve) => setTimeout(resolve)); // the page stays alive
      }
      if (!this.stopped && !failure) await encoder.flush();
    } finally {
      encoder.close();
      this.stage.setExactly(null);
      this.player.goto(before);
    }
    if (failure) throw failure;
    if (this.stopped) return null;
    const video = { codec: name, width, height, fps };
    return webm({ video, sound: heard, duration: (1000 * all.length) / fps, blocks });
  }

  block(chunk, track) {
    const data = new Uint8Array(chunk.byteLength);
    chunk.copyTo(data);
    return { track, time: Math.round(chunk.timestamp / 1000), key: chunk.type === 'key', data };
  }

  // The sound at a speed, as Opus: its head and length; null where the browser cannot.
  async encodedSound(speed, blocks) {
    const config = { codec: 'opus', sampleRate: soundRate, numberOfChannels: 2, bitrate: soundBits };
    if (!window.AudioEncoder || !(await AudioEncoder.isConfigSupported(config)).supported) return null;
    const { rate, sides } = await this.sound.load();
    const seconds = sides[0].length / rate / speed;
    const length = Math.ceil(seconds * soundRate);
    const context = new OfflineAudioContext(2, length, soundRate);
    const source = context.createBufferSource();
    source.buffer = await this.sound.buffer(context);
    source.playbackRate.value = speed;
    source.connect(context.destination);
    source.start();
    const samples = await context.startRendering();
    let head = null;
    const encoder = new AudioEncoder({
      output: (chunk, { decoderConfig } = {}) => {
        if (decoderConfig?.description) head = new Uint8Array(decoderConfig.description.slice(0));
        blocks.push(this.block(chunk, 2));
      },
      error: () => {},
    });
    encoder.configure(config);
    const part = soundRate; // samples a piece
    for (let at = 0; at < length; at += part) {
      const count = Math.min(part, length - at);
      const data = new Float32Array(2 * count);
      for (const side of [0, 1]) data.set(samples.getChannelData(side).subarray(at, at + count), side * count);
      const piece = new AudioData({
        format: 'f32-planar', sampleRate: soundRate, numberOfChannels: 2, numberOfFrames: count,
        timestamp: Math.round((1e6 * at) / soundRate), data,
      }); // prettier-ignore
      encoder.encode(piece);
      piece.close();
    }
    await encoder.flush();
    encoder.close();
    return head && { head, seconds };
  }
}

// The dialog that asks for size, pictures a second and speed, and shows how far it is.
export class VideoDialog {
  constructor(maker, store, speeds, save) {
    Object.assign(this, { maker, store, save });
    const select = byId('video-speed');
    select.append(...speeds.map(([value, name]) => element('option', { value: String(value) }, name)));
    byId('video-save').addEventListener('click', () => this.start());
    byId('video-close').addEventListener('click', () => this.close());
    byId('video').addEventListener('cancel', () => this.close());
  }

  open() {
    const { clientWidth, clientHeight } = this.maker.stage.canvas;
    const even = (n) => 2 * Math.max(1, Math.round(n / 2));
    const [width, height] = [even(clientWidth), even(clientHeight)];
    const own = byId('video-size').options[0];
    own.value = `${width}x${height}`;
    own.textContent = `this page, ${width} × ${height}`;
    byId('video-speed').value = String(this.store.state.speed);
    byId('video-sound').hidden = !this.maker.sound?.run.sound;
    this.show(null);
    byId('video-note').textContent = '';
    byId('video').showModal();
  }

  close() {
    this.maker.stopped = true;
    byId('video').close();
  }

  show(share) {
    const bar = byId('video-progress');
    bar.hidden = share === null;
    bar.value = share ?? 0;
    byId('video-save').disabled = share !== null;
    byId('video-close').textContent = share === null ? 'Close' : 'Cancel';
  }

  async start() {
    const [width, height] = byId('video-size').value.split('x').map(Number);
    const options = { width, height, fps: Number(byId('video-fps').value), speed: Number(byId('video-speed').value) };
    this.show(0);
    byId('video-note').textContent = '';
    try {
      const blob = await this.maker.make(options, (share) => this.show(share));
      if (blob) this.save(blob);
      if (blob) byId('video').close();
    } catch (error) {
      byId('video-note').textContent = error.message;
    }
    this.show(null);
  }
}
