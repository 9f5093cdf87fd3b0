import { openLog } from '#base/log.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import { forgetting } from '#product/data-care/forgetting/watch.ts'
import { openDatabase } from './engine.ts'

// This process does what a server does in one night for guests of events that were over long ago. Its arguments are DATA, its clock in
// milliseconds, where it kills itself, and its fault. It dies `within` or `after` the write with this number, as `within 3`; `never`
// lets it come to its end. The faults: `apart` writes what is beside a registration, and `untold` that owners were told, in a write of
// its own, before which it dies.

const [data = '', now = '0', kill = 'never', fault = ''] = process.argv.slice(2)
const clock = () => Number(now)
const [, when, number] = /^(within|after) (\d+)$/.exec(kill) ?? []

/** What such a fault puts off to a write that never comes. */
const PUT_OFF: Readonly<Record<string, RegExp>> = {
  apart: /^(UPDATE orders SET buyer_name|DELETE FROM emails)/,
  untold: /^UPDATE accounts SET forget_told_at/,
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
  // Nothing may happen afterwards: the signal arrives when it arrives.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

let writes = 0

function mortal(db: Database): Database {
  const write = (async (owner: string, work: (tx: WriteTx) => Promise<unknown>) => {
    const mine = ++writes
    const result = await db.write(owner, async tx => {
      const made = await work(fault in PUT_OFF ? faulty(tx) : tx)
      if (when === 'within' && mine === Number(number)) die()
      return made
    })
    if (when === 'after' && mine === Number(number)) die()
    return result
  }) as Database['write']
  return new Proxy(db, {
    get: (target, name: keyof Database) =>
      name === 'write' ? write : (target[name] as (...args: unknown[]) => unknown).bind(target),
  })
}

function faulty(tx: WriteTx): WriteTx {
  return new Proxy(tx, {
    get(target, name: keyof WriteTx) {
      const value = target[name]
      if (typeof value !== 'function') return value
      if (name !== 'run') return (value as (...args: unknown[]) => unknown).bind(target)
      return async (sql: string, params: never[]) => (PUT_OFF[fault]?.test(sql) ? 1 : target.run(sql, params))
    },
  })
}

const db = await openDatabase(data, clock)
const log = openLog('error', { write: line => process.stderr.write(line) })
await forgetting({ db: mortal(db), clock, log }).look()
process.stdout.write(`${writes}\n`)
await db.close()
