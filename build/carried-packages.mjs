import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * Carries each package that the sources import only when they need it (`await import('stripe')`) as compressed text. A third of the
 * program is in these packages. Uncompressed, every start would read and parse them, most for nothing.
 *
 * @param {import('esbuild').BuildOptions} common how each is bundled
 * @param {(text: string) => string} toAscii
 * @returns {(data: import('./carried-data.mjs').CarriedData) => { plugin: import('esbuild').Plugin, inputs: Set<string> }} for each
 *   bundle; `inputs` has the files inside once it is made
 */
export function carryPackages(common, toAscii) {
  const inputs = new Set()
  const texts = new Map()
  /** Every program carries the same, and compressing takes a second. */
  const carry = (path, resolveDir) => {
    if (!texts.has(path)) texts.set(path, bundlePackage(path, resolveDir))
    return texts.get(path)
  }

  async function bundlePackage(path, resolveDir) {
    // Node says which names a package exports, for a package in either form.
    const names = Object.keys(await import(path)).filter(name => name !== 'module.exports')
    const { outputFiles, metafile } = await build({
      ...common,
      plugins: [leaveOut(unused[path] ?? [], join(common.absWorkingDir, 'build/nothing.cjs'))],
      stdin: { contents: `export { ${names.join(', ')} } from '${path}'`, resolveDir, sourcefile: ENTRY },
      metafile: true,
      write: false,
    })
    return {
      names,
      text: brotliCompressSync(toAscii(outputFiles[0].text)).toString('base64'),
      inputs: Object.keys(metafile.inputs).filter(input => input !== ENTRY),
    }
  }

  const pluginFor = data => ({
    name: 'carried-packages',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[@a-z]/ }, ({ kind, path, importer, resolveDir }) => {
        const isOwn = !importer.includes('node_modules')
        if (kind !== 'dynamic-import' || !isOwn || isBuiltin(path)) return undefined
        return { path, namespace: 'carried-package', pluginData: resolveDir }
      })
      onLoad({ filter: /.*/, namespace: 'carried-package' }, async ({ path, pluginData }) => {
        const carried = await carry(path, pluginData)
        for (const input of carried.inputs) inputs.add(input)
        return {
          contents: `import { unpackPackage } from './build/unpack-package.mjs'
            const unpacked = unpackPackage('${path}', ${data.hold(path, carried.text)})
            ${carried.names.map(exportOf).join('\n')}`,
          resolveDir: common.absWorkingDir,
        }
      })
    },
  })
  return data => ({ plugin: pluginFor(data), inputs })
}

/**
 * What packages import and is never used of them here. `koa-body` reads forms without files in UTF-8, whose type is known. Half of the
 * time and of the memory that it took to load, and most of its text, was for a reader of files, the list of all media types, errors of
 * its options in 50 languages, and the characters of other encodings.
 */
const unused = {
  'koa-body': [
    ...[/^formidable$/, /^mime-db$/, /\/locales\/index\.js$/],
    ...[/^\.\/tables\/.+\.json$/, /^\.\/sbcs-data-generated$/],
  ],
}

/** @returns {import('esbuild').Plugin} */
function leaveOut(filters, nothing) {
  return {
    name: 'left-out',
    setup({ onResolve }) {
      for (const filter of filters) onResolve({ filter }, () => ({ path: nothing }))
    },
  }
}

/** The name makes it a module as Node understands one, for which the default of a CommonJS package is all that it exports. */
const ENTRY = 'carried-package.mjs'

function exportOf(name) {
  return name === 'default' ? 'export default unpacked.default' : `export const ${name} = unpacked.${name}`
}
