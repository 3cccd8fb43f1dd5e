// Builds dist/self.html, the page that simulates by itself: markup, style, program and dist/solver.wasm in one file. sinew
// puts a model in the place of <!--sinew-data-->. The hash of the sources is written into it; tests/web compares it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const text = (name) => readFileSync(join(root, name), 'utf8');

// Of the page's own sources and the module; the parts of the report page have a hash of their own.
function sourceHash() {
  const names = readdirSync(join(root, 'self')).map((name) => `self/${name}`);
  names.push('build_self.mjs', 'dist/solver.wasm');
  const hash = createHash('sha256');
  for (const name of names.sort()) hash.update(`${name}\n`).update(readFileSync(join(root, name)));
  return hash.digest('hex');
}

const result = await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    write: false,
    target: 'es2022',
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { input: join(root, 'self/main.js'), output: { format: 'iife' } },
  },
});
const program = [result]
  .flat()
  .flatMap((r) => r.output)
  .filter((o) => o.type === 'chunk')
  .map((o) => o.code)
  .join('\n');
const { version } = JSON.parse(text('node_modules/three/package.json'));
const notice = `Contains three.js ${version} (https://threejs.org):\n\n${text('node_modules/three/LICENSE').trim()}\n`;
const solver = deflateSync(readFileSync(join(root, 'dist/solver.wasm')), { level: 9 }).toString('base64');
const page = text('self/index.html')
  .replace('<!--notice-->', () => `<!--\nsources ${sourceHash()}\n\n${notice}-->`)
  .replace('/*style*/', () => text('self/style.css').trim())
  .replace('<!--solver-->', () => solver)
  .replace('/*program*/', () =>
    program
      .trim()
      .replace(/<\/script/gi, '<\\/script')
      .replace(/<!--/g, '<\\!--'),
  );
writeFileSync(join(root, 'dist/self.html'), page);
console.log(`dist/self.html: ${(page.length / 1000).toFixed(0)} kB`);
