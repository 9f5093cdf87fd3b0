import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { groupTests } from './group-tests.ts'

/**
 * Makes plain JavaScript of test files and of all that they import of ours, once for the run: each process would otherwise take the
 * hundreds of modules of a server through the hooks of tsx, a second of the processor each time. What several files import is one
 * chunk that they share; packages stay where they are.
 *
 * @param files the text of each by its path, such as `test/base/ids.test.ts`, in the order of the paths
 * @param programs what they start, and is made ready in the same way
 * @returns a folder for this run alone, and the paths in it of what the runner is to run, each in a process of its own
 */
export async function bundleTests(
  files: ReadonlyMap<string, string>,
  programs: readonly string[] = [],
): Promise<{ folder: string; bundled: string[] }> {
  mkdirSync('dist', { recursive: true })
  // The folder lies within the project, so that packages are found from it.
  const folder = mkdtempSync(join('dist', 'tests-'))
  const threads = findThreads()
  await build({
    entryPoints: [...files.keys(), ...programs, ...threads.map(thread => join(thread, 'worker.ts'))],
    outdir: folder,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node22.14',
    // Two functions of one name in a chunk stay two of one name: a test reads them in stack traces.
    keepNames: true,
    // A failure names the line as it was written. Beside the code, the maps are read by what fails alone.
    sourcemap: 'linked',
    sourcesContent: false,
    define: { 'import.meta.url': 'moduleAddress' },
    plugins: [addressesIn(folder, threads), ownScripts],
    logLevel: 'warning',
  })
  for (const thread of threads) makeReady(join(folder, thread), thread)
  const groups = groupTests([...files].map(([path, text]) => ({ path, text })))
  const bundled = groups.map((paths, at) => {
    // The runner reports a process that ends too early by this name.
    const group = join(
      folder,
      `${String(at).padStart(3, '0')}-${(paths[0] as string).replace(/\W+/g, '-')}-and-${paths.length - 1}-more.mjs`,
    )
    const imports = paths.map(path => `import './${path.replace(/\.ts$/, '.mjs')}'\n`)
    writeFileSync(group, imports.join(''))
    return group
  })
  return { folder, bundled }
}

/** What starts a thread finds this beside it. */
const START = 'thread-of-sources.mjs'

/** Returns the folders of threads that a loader would run from their sources, which takes each of them half a second. */
function findThreads(): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(name => basename(name) === START)
    .map(name => join('src', dirname(name)))
}

/** Puts beside a thread that is plain JavaScript what lies beside its sources. */
function makeReady(made: string, sources: string): void {
  writeFileSync(join(made, START), "import './worker.mjs'\n")
  const carried = join(sources, 'carried.json')
  if (existsSync(carried)) copyFileSync(carried, join(made, 'carried.json'))
}

/**
 * A module finds the files beside it by its own address, which stays that of what was written. What starts a thread finds the one
 * that was made ready.
 */
function addressesIn(folder: string, threads: readonly string[]): Plugin {
  return {
    name: 'own addresses',
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const usesAddress = text.includes('import.meta.url')
        const written = relative('.', path)
        const place = threads.includes(dirname(written)) ? resolve(folder, written) : path
        const address = `const moduleAddress = ${JSON.stringify(pathToFileURL(place).href)}; `
        return { contents: usesAddress ? address + text : text, loader: path.endsWith('.tsx') ? 'tsx' : 'ts' }
      })
    },
  }
}

/** The scripts of the build find the project by where they are, and stay there. */
const ownScripts: Plugin = {
  name: 'own scripts',
  setup({ onResolve }) {
    onResolve({ filter: /\/build\/\w+\.mjs$/ }, ({ path, resolveDir }) => {
      return { path: pathToFileURL(resolve(resolveDir, path)).href, external: true }
    })
  },
}
