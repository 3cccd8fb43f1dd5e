// The connection to a live simulation: messages both ways; a lost connection is made again.

const firstWait = 500; // ms
const longestWait = 3000;
const mostQueued = 1 << 16; // bytes that wait to be sent, above which moves are held back

// An address beside the page's own, with its token.
export function liveAddress(path) {
  const url = new URL(`live/${path}`, location.href);
  const token = new URLSearchParams(location.search).get('token');
  url.hash = '';
  url.search = token === null ? '' : `?token=${encodeURIComponent(token)}`;
  return url;
}

export class LiveSocket {
  // handlers: open(), text(message), binary(buffer), lost().
  constructor(handlers) {
    Object.assign(this, { handlers, wait: firstWait, connected: false });
    this.connect();
    // A page that is left may be kept and come back.
    window.addEventListener('pagehide', () => this.socket.close());
  }

  connect() {
    const url = liveAddress('socket');
    url.protocol = url.protocol.replace('http', 'ws');
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => {
      this.connected = true;
      this.wait = firstWait;
      this.handlers.open();
    });
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') this.handlers.text(JSON.parse(data));
      else this.handlers.binary(data);
    });
    socket.addEventListener('close', () => {
      this.connected = false;
      this.handlers.lost();
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, longestWait);
    });
  }

  get free() {
    return this.connected && this.socket.bufferedAmount < mostQueued;
  }

  send(message) {
    if (this.connected) this.socket.send(JSON.stringify(message));
  }
}
