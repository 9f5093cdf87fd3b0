import { openDatabase } from './engine.ts'
import { send } from './submissions.ts'

// This process sends an abstract, says so once that is on the disk, and ends. Its arguments are DATA, the account, the event and the
// submission.

const [data = '', accountId = '', eventId = '', id = ''] = process.argv.slice(2)
const db = await openDatabase(data, Date.now)
await send({ db, accountId, eventId, clock: Date.now }, id)
process.stdout.write('sent\n')
await db.close()
