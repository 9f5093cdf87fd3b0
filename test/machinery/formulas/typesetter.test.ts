import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { MOST_TIME, Typesetter, type TypesetterOptions } from '#machinery/formulas/typesetter.ts'

const X = { tex: 'x', isBlock: false }
const made = '["mi",{},"x"]'

/** A thread that does what the letters say: `a` is made, at `l` it goes on for ever, at `e` it ends, and at `b` it breaks. */
const scripted = (threads: Worker[] = []) => {
  const start = async () => {
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads')
      parentPort.on('message', ({ number, formulas }) => {
        for (const [at, { tex }] of formulas.entries()) {
          if (tex === 'l') for (;;) ;
          if (tex === 'e') process.exit()
          if (tex === 'b') throw new Error('It breaks.')
          parentPort.postMessage({ number, at, tree: tex })
        }
        parentPort.postMessage({ number, done: true })
      })
      parentPort.postMessage({ ready: true })`,
      { eval: true },
    )
    threads.push(worker)
    return worker
  }
  return start
}

const letters = (text: string) => [...text].map(tex => ({ tex, isBlock: false }))

function typesetterOf(t: TestContext, options: TypesetterOptions = {}) {
  const threads: Worker[] = []
  t.after(async () => {
    for (const thread of threads) await thread.terminate()
  })
  // What does not test the limit must not meet it on a busy machine.
  const made = new Typesetter({ start: scripted(threads), mostTime: 60_000, ...options })
  return { typesetter: made, threads }
}

test('formulas are made in a thread that begins with the first text, and serves the next', async () => {
  const typesetter = new Typesetter({ mostTime: 60_000 })
  assert.deepEqual(await typesetter.typeset([]), [])
  assert.deepEqual(await typesetter.typeset([X, { tex: '\\frac', isBlock: false }, X]), [made, null, made])
  const many = Array.from({ length: 3 }, () => typesetter.typeset([X]))
  assert.deepEqual(await Promise.all(many), [[made], [made], [made]])
})

test('of a text that takes more than a second there is what was made in time, and the next text has another thread', async t => {
  const { typesetter, threads } = typesetterOf(t, { mostTime: MOST_TIME })
  assert.deepEqual(await typesetter.typeset(letters('aal')), ['a', 'a', null])
  assert.deepEqual(await typesetter.typeset(letters('a')), ['a'])
  assert.equal(threads.length, 2)
})

test('a thread that ends or breaks in the middle leaves what was made, and ends nothing else', async t => {
  const { typesetter, threads } = typesetterOf(t)
  assert.deepEqual(await typesetter.typeset(letters('aea')), ['a', null, null])
  assert.deepEqual(await typesetter.typeset(letters('aba')), ['a', null, null])
  const waiting = [typesetter.typeset(letters('e')), typesetter.typeset(letters('a'))]
  assert.deepEqual(await Promise.all(waiting), [[null], ['a']])
  assert.equal(threads.length, 4)
})

test('a thread that was ended between two texts is replaced', async t => {
  const { typesetter, threads } = typesetterOf(t)
  assert.deepEqual(await typesetter.typeset(letters('a')), ['a'])
  await threads[0]?.terminate()
  assert.deepEqual(await typesetter.typeset(letters('a')), ['a'])
})

test('texts that come at once are made one after another, and each gets its own', async t => {
  const { typesetter, threads } = typesetterOf(t)
  const texts = ['ab', 'ac', 'aa'].map(text => typesetter.typeset(letters(text)))
  assert.deepEqual(await Promise.all(texts), [
    ['a', null],
    ['a', 'c'],
    ['a', 'a'],
  ])
  assert.equal(threads.length, 2)
})

test('a text that comes when too many wait is not made, and there is room again later', async t => {
  const { typesetter } = typesetterOf(t, { mostWaiting: 2 })
  const all = Array.from({ length: 5 }, () => typesetter.typeset(letters('a')))
  assert.deepEqual(await Promise.all(all), [['a'], ['a'], ['a'], undefined, undefined])
  assert.deepEqual(await typesetter.typeset(letters('a')), ['a'])
})

test('where no thread begins, nothing is made, and the next text tries again', async t => {
  let tries = 0
  const { typesetter } = typesetterOf(t, {
    start: async () => {
      tries++
      if (tries === 1) throw new Error('There is no room for a thread.')
      if (tries === 2) return new Worker('process.exit()', { eval: true })
      return scripted()()
    },
  })
  assert.equal(await typesetter.typeset(letters('a')), undefined)
  assert.equal(await typesetter.typeset(letters('a')), undefined)
  assert.deepEqual(await typesetter.typeset(letters('a')), ['a'])
})
