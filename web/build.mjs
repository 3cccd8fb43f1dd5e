// Builds dist/report.html: markup, style and program in one file that needs nothing else. sinew puts a run's data in
// the place of <!--sinew-data-->. The hash of the sources is written into it; tests/web compares it.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const text = (name) => readFileSync(join(root, name), 'utf8');

// What the bundle is made of: every source, the versions of what is linked in, and this script.
function sourceHash() {
  const names = readdirSync(join(root, 'src')).map((name) => `src/${name}`);
  names.push('build.mjs', 'package-lock.json', 'package.json');
  const hash = createHash('sha256');
  for (const name of names.sort()) hash.update(`${name}\n`).update(text(name));
  return hash.digest('hex');
}

async function bundle() {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { input: join(root, 'src/main.js'), output: { format: 'iife' } },
    },
  });
  const outputs = [result].flat().flatMap((r) => r.output);
  return outputs
    .filter((o) => o.type === 'chunk')
    .map((o) => o.code)
    .join('\n');
}

const program = await bundle();
// The libraries in the bundle, with their licences.
const libraries = [
  ['three', 'three.js', 'https://threejs.org'],
  ['d3-scale-chromatic', 'd3-scale-chromatic', 'https://d3js.org'],
  ['d3-interpolate', 'd3-interpolate', 'https://d3js.org'],
  ['d3-color', 'd3-color', 'https://d3js.org'],
];
const notice = libraries
  .map(([folder, name, address]) => {
    const { version } = JSON.parse(text(`node_modules/${folder}/package.json`));
    return `Contains ${name} ${version} (${address}):\n\n${text(`node_modules/${folder}/LICENSE`).trim()}\n`;
  })
  .join('\n');
const page = text('src/index.html')
  .replace('<!--notice-->', () => `<!--\nsources ${sourceHash()}\n\n${notice}-->`)
  .replace('/*style*/', () => text('src/style.css').trim())
  .replace('/*program*/', () =>
    program
      .trim()
      .replace(/<\/script/gi, '<\\/script')
      .replace(/<!--/g, '<\\!--'),
  );
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist/report.html'), page);
writeFileSync(join(root, 'dist/LICENSES.txt'), notice);
console.log(`dist/report.html: ${(page.length / 1000).toFixed(0)} kB`);
