import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

// Loaded before a program from its sources, with --expose-internals: it puts a call into each function of `src` that notes the file.
// The process that has started it says when a walk begins and ends.

const { parse } = createRequire(import.meta.url)('internal/deps/acorn/acorn/dist/acorn')
const { full } = createRequire(import.meta.url)('internal/deps/acorn/acorn-walk/dist/walk')
const source = new URL('src/', `file://${process.cwd()}/`).href
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/
const compilerOptions = { jsx: 'react-jsx', jsxImportSource: 'preact' }

registerHooks({
  load(url, context, next) {
    const address = url.split('?')[0]
    if (!address.startsWith(source) || !/\.tsx?$/.test(address)) return next(url, context)
    const path = fileURLToPath(address)
    const { code } = transformSync(readFileSync(path, 'utf8'), {
      ...{ loader: path.endsWith('x') ? 'tsx' : 'ts', format: 'esm', tsconfigRaw: { compilerOptions } },
    })
    return { format: 'module', source: noted(code, relative(process.cwd(), path)), shortCircuit: true }
  },
})

function noted(code, file) {
  const call = `globalThis.__entered(${JSON.stringify(file)})`
  const put = []
  full(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), ({ type, body }) => {
    if (!FUNCTION.test(type)) return
    if (body.type === 'BlockStatement') put.push([body.start + 1, `${call};`])
    // The parentheses also stand around an object, which would be a block without them.
    else put.push([body.start, `(${call},(`], [body.end, '))'])
  })
  // What ends at a place comes before what begins there, and of two that end, either.
  put.sort(([a], [b]) => b - a)
  return put.reduce((text, [at, what]) => text.slice(0, at) + what + text.slice(at), code)
}

/** What a server does each second, walk or no walk, is no part of one. */
const recurring = new AsyncLocalStorage()
for (const name of ['setInterval', 'setTimeout']) {
  const plain = globalThis[name]
  globalThis[name] = Object.assign((work, delay, ...args) => {
    const isRecurring = name === 'setInterval' || /node_modules\/cron\//.test(new Error().stack)
    return plain(isRecurring ? (...given) => recurring.run(true, work, ...given) : work, delay, ...args)
  }, plain)
}

let files
let changes = 0
let last
globalThis.__entered = file => {
  if (files === undefined || recurring.getStore() === true) return
  files.add(file)
  if (last !== undefined && last !== file) changes++
  last = file
}
process.on('message', isBegun => {
  if (isBegun) {
    files = new Set()
    changes = 0
    last = undefined
  } else {
    process.send({ files: [...files].sort(), changes })
    files = undefined
  }
})
// A command ends when its work is done.
process.channel?.unref()
