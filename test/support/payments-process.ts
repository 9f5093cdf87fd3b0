import { readFileSync, writeFileSync } from 'node:fs'
import { openLog } from '#base/log.ts'
import { Reconciler } from '#product/selling/payments/reconciler.ts'
import { openDatabase } from './engine.ts'
import { Life } from './mortal.ts'
import { ScriptedProcessor } from './scripted-processor.ts'

// This process does once what is due of payments. Its arguments are DATA, the file in which the processor remembers, the instant at
// which it stands, and the step at which it kills itself, if any.

const [data = '', memory = '', at = '', dieIn = ''] = process.argv.slice(2)
const clock = () => Number(at)
const processor = new ScriptedProcessor(clock)
processor.recall(readFileSync(memory, 'utf8'))
// The processor is elsewhere: what it has done stays, whoever is killed.
processor.onCall = async () => writeFileSync(memory, processor.memory())
const life = new Life()
if (dieIn !== '') life.dieIn(Number(dieIn))
life.died.then(() => process.kill(process.pid, 'SIGKILL'))
const db = await openDatabase(data, clock)
const reconciler = new Reconciler({
  ...{ db: life.database(db), clock, log: openLog('error', { write: line => process.stderr.write(line) }) },
  processors: new Map([['test', life.processor(processor)]]),
  server: { baseUrl: 'https://tickets.example.org', secret: 's' },
})
// A call that hangs while the process dies does not keep it alive.
setInterval(() => undefined, 1000).unref()
await reconciler.settle()
await db.close()
