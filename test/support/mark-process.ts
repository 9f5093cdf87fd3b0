import { openLog } from '#base/log.ts'
import { markEnd, markStart } from '#machinery/ops/run-mark.ts'
import { openDatabase } from './engine.ts'

// This process does nothing but start and end on a data folder, over and over. Its argument is DATA.

const [data = ''] = process.argv.slice(2)
const db = await openDatabase(data, Date.now)
const log = openLog('error', { write: line => process.stderr.write(line) })
process.stdout.write('running\n')
for (;;) {
  if (await markStart(db, data, Date.now())) process.stdout.write('copy\n')
  await markEnd(db, data, log)
}
