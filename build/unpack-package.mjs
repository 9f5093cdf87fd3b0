import { createRequire } from 'node:module'
import { compileFunction, constants } from 'node:vm'
import { brotliDecompressSync } from 'node:zlib'

/**
 * Loads a package that is carried as compressed text: see carried-packages.mjs.
 *
 * @param {string} name what traces name it by
 * @param {string} text Base64 of Brotli of a CommonJS module in ASCII, which requires nothing but modules of Node
 * @returns {any} its exports
 */
export function unpackPackage(name, text) {
  const module = { exports: {} }
  const source = brotliDecompressSync(Buffer.from(text, 'base64')).toString('latin1')
  const load = compileFunction(source, ['exports', 'require', 'module'], {
    filename: `turnout:${name}`,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  load.call(module.exports, module.exports, createRequire(process.execPath), module)
  return module.exports
}
