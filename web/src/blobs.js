// The named pieces of a run's data, each a JSON array [header, base64, header, base64, ...] of zlib streams. They stand
// in the page, or as scripts beside it that call sinewBlob(name, array): scripts load from disk where fetch may not.

const waiting = new Map();

window.sinewBlob = (name, pieces) => {
  const entry = waiting.get(name);
  waiting.delete(name);
  entry?.resolve(pieces);
};

function loadScript(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const path = `report/${name}.js`;
    waiting.set(name, { resolve });
    script.src = path;
    script.onload = () => {
      script.remove();
      if (waiting.delete(name)) reject(new Error(`${path} is damaged; rebuild the page with: sinew view FOLDER`));
    };
    script.onerror = () => {
      script.remove();
      waiting.delete(name);
      reject(new Error(`${path} is missing: keep the folder "report" beside this page`));
    };
    document.head.append(script);
  });
}

// The pieces of a blob.
export async function loadBlob(name) {
  const element = document.getElementById(`sinew-${name}`);
  if (!element) return loadScript(name);
  return JSON.parse(element.textContent);
}

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// The bytes of a zlib stream in base64.
export async function inflate(base64) {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
