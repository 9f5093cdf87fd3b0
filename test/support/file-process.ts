import { setImmediate as nextTurn } from 'node:timers/promises'
import { FileReceiver } from '#product/programme/files/receive.ts'
import { openDatabase } from './engine.ts'
import { LIMITS, pdfOf } from './files.ts'

// This process receives files of a submission, one after the other. Its arguments are DATA, the account, the event, the submission,
// the size of the files, and after how many bytes of which the process kills itself, if it does.

const [data = '', accountId = '', eventId = '', submissionId = '', size = '0', dies = ''] =
  process.argv.slice(2)
const receiver = new FileReceiver(await openDatabase(data, Date.now))

async function* bytes() {
  const pdf = pdfOf(Number(size))
  const part = 16 * 1024
  for (let at = 0; at < pdf.length; at += part) {
    if (dies !== '' && at >= Number(dies)) process.kill(process.pid, 'SIGKILL')
    yield pdf.subarray(at, at + part)
    await nextTurn()
  }
}

for (;;) {
  await receiver.receive(accountId, { eventId, submissionId, name: 'a.pdf', bytes: bytes(), limits: LIMITS })
  process.stdout.write('.')
}
