// Writes WebM files (Matroska with VP8 or VP9 and Opus; RFC 9559, webmproject.org/docs/container) in memory: one video
// track, perhaps one of sound. Times are whole milliseconds.

const id = {
  ebml: 0x1a45dfa3, version: 0x4286, readVersion: 0x42f7, maxId: 0x42f2, maxSize: 0x42f3, docType: 0x4282,
  docVersion: 0x4287, docReadVersion: 0x4285, segment: 0x18538067, info: 0x1549a966, scale: 0x2ad7b1,
  duration: 0x4489, muxer: 0x4d80, writer: 0x5741, tracks: 0x1654ae6b, track: 0xae, number: 0xd7, uid: 0x73c5,
  type: 0x83, lacing: 0x9c, codec: 0x86, codecPrivate: 0x63a2, codecDelay: 0x56aa, preRoll: 0x56bb, video: 0xe0,
  width: 0xb0, height: 0xba, audio: 0xe1, rate: 0xb5, channels: 0x9f, frameDuration: 0x23e383, cues: 0x1c53bb6b,
  cue: 0xbb, cueTime: 0xb3, cuePlaces: 0xb7, cueTrack: 0xf7, cuePlace: 0xf1, cluster: 0x1f43b675, time: 0xe7,
  block: 0xa3,
}; // prettier-ignore

const sizeOf = (part) => (Array.isArray(part) ? part.reduce((n, p) => n + sizeOf(p), 0) : part.length);

// Big endian, without leading zeros unless `width` wants them.
function bytesOf(value, width) {
  const bytes = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  while (bytes.length < width) bytes.unshift(0);
  return Uint8Array.from(bytes);
}

const text = (value) => new TextEncoder().encode(value);

function float(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

// An element: its id, its size in eight bytes, its content.
function element(name, ...content) {
  const size = bytesOf(sizeOf(content), 8);
  size[0] = 1;
  return [bytesOf(id[name]), size, ...content];
}

const number = (name, value, width) => element(name, bytesOf(value, width));

// blocks: [{track, time [ms], key, data}] in the order of their times; a cluster begins with each key frame.
function clustersOf(blocks) {
  const clusters = [];
  for (const block of blocks) {
    if (clusters.length === 0 || (block.track === 1 && block.key)) clusters.push({ time: block.time, blocks: [] });
    clusters.at(-1).blocks.push(block);
  }
  return clusters.map(({ time, blocks: own }) => {
    const parts = own.map(({ track, time: at, key, data }) => {
      const relative = at - time;
      const head = Uint8Array.of(0x80 | track, (relative >> 8) & 0xff, relative & 0xff, key ? 0x80 : 0);
      return element('block', head, data);
    });
    return { time, element: element('cluster', number('time', time), ...parts) };
  });
}

function tracksOf({ video, sound }) {
  const common = (count, type, codec) => [
    number('number', count), number('uid', count), number('type', type), number('lacing', 0), element('codec', text(codec)),
  ]; // prettier-ignore
  const { width, height, fps, codec } = video;
  const tracks = [
    element(
      'track',
      ...common(1, 1, codec),
      number('frameDuration', Math.round(1e9 / fps)),
      element('video', number('width', width), number('height', height)),
    ),
  ];
  if (sound) {
    const skipped = sound.head[10] | (sound.head[11] << 8); // samples before the first that counts (RFC 7845)
    tracks.push(
      element(
        'track',
        ...common(2, 2, 'A_OPUS'),
        element('codecPrivate', sound.head),
        number('codecDelay', Math.round((1e9 * skipped) / 48000)),
        number('preRoll', 80_000_000),
        element('audio', element('rate', float(48000)), number('channels', 2)),
      ),
    );
  }
  return element('tracks', ...tracks);
}

// video: {codec, width, height, fps}; sound: null or {head: OpusHead}; `duration` in ms. Returns a Blob.
export function webm({ video, sound, duration, blocks }) {
  const sorted = blocks
    .map((block, order) => ({ ...block, order }))
    .sort((a, b) => a.time - b.time || a.track - b.track || a.order - b.order);
  const clusters = clustersOf(sorted);
  const head = [
    element(
      'info',
      number('scale', 1_000_000),
      element('duration', float(duration)),
      element('muxer', text('sinew')),
      element('writer', text('sinew')),
    ),
    tracksOf({ video, sound }),
  ];
  const cues = (places) =>
    element(
      'cues',
      ...clusters.map(({ time }, k) =>
        element(
          'cue',
          number('cueTime', time, 8),
          element('cuePlaces', number('cueTrack', 1), number('cuePlace', places[k], 8)),
        ),
      ),
    );
  let at = sizeOf(head) + sizeOf(cues(clusters.map(() => 0)));
  const places = clusters.map((cluster) => {
    const place = at;
    at += sizeOf(cluster.element);
    return place;
  });
  const file = [
    element(
      'ebml',
      number('version', 1), number('readVersion', 1), number('maxId', 4), number('maxSize', 8),
      element('docType', text('webm')), number('docVersion', 4), number('docReadVersion', 2),
    ), // prettier-ignore
    element('segment', ...head, cues(places), ...clusters.map((c) => c.element)),
  ];
  return new Blob(file.flat(Infinity), { type: 'video/webm' });
}
